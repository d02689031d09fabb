import type { Translation } from "../define.js";
import type * as english from "../en/shell.js";

export const shell: Translation<typeof english.shell> = {
  skip: "Aller au contenu",
  pages: "Pages",
  loading: "Chargement",
  signedInWith: "Connecté avec le jeton {name}",
  signOut: "Se déconnecter",
  stillSignedIn: "Votre session est toujours ouverte",
  settings: "Paramètres et aide",
  notFound: "Cette page n’existe pas",
  console: "Console",
  starting: "Chargement…",
  outage: "{problem} La page réessaie d’elle-même.",
  outageSince: "{problem} Ce que vous voyez date de {time}. La page réessaie d’elle-même.",
};
