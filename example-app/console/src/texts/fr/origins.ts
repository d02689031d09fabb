import type { Translation } from "../define.js";
import type * as english from "../en/origins.js";

export const origins: Translation<typeof english.origins> = {
  about:
    "Des sites dont les pages peuvent appeler l’API de cette organisation, ou vers lesquels on peut revenir après s’être connecté.",
  empty: "Ajoutez l’origine d’un de vos sites, par exemple https://portal.example.com.",
  name: "Nom",
  origin: "Origine",
  aboutOrigin:
    "Telle que les navigateurs l’envoient : le schéma, l’hôte et le port s’il n’est pas habituel. Pas de chemin.",
  scopes: "Ce qui est autorisé",
  isOn: "L’origine est activée",
  CORS: "Peut appeler l’API",
  aboutCORS: "Ses pages peuvent utiliser l’API depuis un navigateur (CORS), avec un jeton.",
  REDIRECT: "Peut être une page de retour",
  aboutREDIRECT: "Après s’être connecté, on peut revenir à ses pages.",
  mayCORS: "{origin} · peut appeler l’API",
  mayREDIRECT: "{origin} · peut être une page de retour",
  mayBoth: "{origin} · peut appeler l’API, peut être une page de retour",
};
