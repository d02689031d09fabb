import type { Translation } from "../define.js";
import type * as english from "../en/origins.js";

export const origins: Translation<typeof english.origins> = {
  about:
    "Websites, deren Seiten die API dieser Organisation aufrufen dürfen oder zu denen Personen nach der Anmeldung zurückkehren dürfen.",
  empty: "Den Ursprung einer eigenen Website hinzufügen, etwa https://portal.example.com.",
  name: "Name",
  origin: "Ursprung",
  aboutOrigin: "Wie Browser ihn senden: Schema, Host und Port, falls es nicht der übliche ist. Kein Pfad.",
  scopes: "Was erlaubt ist",
  isOn: "Der Ursprung ist eingeschaltet",
  CORS: "Darf die API aufrufen",
  aboutCORS: "Seiten von dort dürfen die API im Browser verwenden (CORS), mit einem Token.",
  REDIRECT: "Darf Rückkehrziel sein",
  aboutREDIRECT: "Nach der Anmeldung dürfen Personen zu Seiten von dort zurückkehren.",
  mayCORS: "{origin} · darf die API aufrufen",
  mayREDIRECT: "{origin} · darf Rückkehrziel sein",
  mayBoth: "{origin} · darf die API aufrufen, darf Rückkehrziel sein",
};
