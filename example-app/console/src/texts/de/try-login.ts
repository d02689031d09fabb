import type { Translation } from "../define.js";
import type * as english from "../en/try-login.js";

export const tryLogin: Translation<typeof english.tryLogin> = {
  about:
    "Login eingeben und sehen, wer diese Person anmeldet und welche Regel das entscheidet. Es wird nichts geändert und niemand angemeldet.",
  login: "Login",
  address: "Von der Adresse",
  device: "Mit dem Gerät",
  yourOwn: "die eigene",
  yours: "das eigene",
  ownDevice: "Eigenes Gerät",
  rulesOf: "Mit den Regeln vom",
  emptyForNow: "Leer für jetzt.",
  revision: "Revision {revision}",
  rulesOfNow: "Regeln von jetzt verwenden",
  triedLast: "Zuletzt ausprobiert",
  asking: "Wird abgefragt",
  begin: "Zum Beginnen einen Login eingeben",
};
