import type { Translation } from "../define.js";
import type * as english from "../en/shell.js";

export const shell: Translation<typeof english.shell> = {
  skip: "Direkt zur Seite",
  pages: "Seiten",
  loading: "Wird geladen",
  signedInWith: "Angemeldet mit dem Token {name}",
  signOut: "Abmelden",
  stillSignedIn: "Sie sind noch angemeldet",
  settings: "Einstellungen und Hilfe",
  notFound: "Diese Seite gibt es nicht",
  console: "Konsole",
  starting: "Wird geladen …",
  outage: "{problem} Die Seite versucht es von selbst erneut.",
  outageSince: "{problem} Zu sehen ist der Stand von {time}. Die Seite versucht es von selbst erneut.",
};
