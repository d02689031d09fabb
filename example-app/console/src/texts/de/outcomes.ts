import type { Translation } from "../define.js";
import type * as english from "../en/outcomes.js";

export const outcomes: Translation<typeof english.outcomes> = {
  noLogin: "kein Login",
  move: "{name}: {before}{arrow}{after} {by}",
  after: "dann",
  by: "durch {rule}",
  which: "Welche geprüft wurden",
  stay: "{name}: {rule}",
  oneMoves: "Der Test-Login geht woandershin",
  oneStays: "Der Test-Login geht dorthin, wohin er jetzt geht",
  allStay: "Alle {all} Test-Logins gehen dorthin, wohin sie jetzt gehen",
  someMove: { one: "{n} von {all} Test-Logins geht woandershin", other: "{n} von {all} Test-Logins gehen woandershin" },
  itself: "{org} selbst",
  thenNext: ", dann ",
};
