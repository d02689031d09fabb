import type { Translation } from "../define.js";
import type * as english from "../en/users.js";

export const users: Translation<typeof english.users> = {
  about:
    "Les personnes de cette organisation. Les règles de routage peuvent vérifier les attributs de qui se connecte.",
  create: "Créer un utilisateur",
  how: "Comment trouver des utilisateurs",
  q: "Mots",
  filter: "Filtre",
  search: "Recherche",
  byName: "Login, e-mail, prénom ou nom",
  byFilter: "Filtrer par valeurs exactes",
  bySearch: "Rechercher dans tous les attributs",
  examples: "Exemples",
  order: "Ordre",
  usual: "Ordre habituel",
  newest: "Plus récents d’abord",
  lastChanged: "Derniers modifiés",
  status: "Statut",
  login: "Login",
  email: "E-mail",
  firstName: "Prénom",
  lastName: "Nom",
  reading: "Lecture des utilisateurs",
  count: { one: "{n} utilisateur", other: "{n} utilisateurs" },
  countMore: { one: "plus de {n} utilisateur", other: "plus de {n} utilisateurs" },
  countAtLeast: { one: "au moins {n} utilisateur", other: "au moins {n} utilisateurs" },
  found: "Utilisateurs trouvés",
  nothingYet: "Rien trouvé jusqu’ici",
  searchOn: "Continuer la recherche",
  noMatch: "Aucun utilisateur ne correspond",
  aboutNoMatch:
    "Un filtre distingue les majuscules des minuscules. Seul un filtre ou une recherche sur leur statut trouve les utilisateurs désactivés.",
  none: "Aucun utilisateur pour l’instant",
  aboutNone:
    "Les règles sur les logins, les adresses et les appareils n’en ont pas besoin. Les utilisateurs servent aux règles sur les attributs, comme le service.",
};
