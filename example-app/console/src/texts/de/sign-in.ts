import type { Translation } from "../define.js";
import type * as english from "../en/sign-in.js";

export const signIn: Translation<typeof english.signIn> = {
  tab: "Anmelden · Konsole",
  title: "In der Konsole anmelden",
  ended: "Die Sitzung ist beendet",
  why: "Ihr Token wurde widerrufen oder ist abgelaufen, oder sie wurde eine Weile nicht genutzt.",
  command:
    "Der Betreiber des Servers gibt mit diesem Befehl des Programms einen Link aus, der einmal und innerhalb von zehn Minuten zur Anmeldung dient:",
  token: "Oder ein API-Token dieser Organisation einfügen",
  tokenNote: "Der Server bewahrt es auf. Skripte dieser Seite können es danach nicht lesen.",
  signIn: "Anmelden",
};
