import type { Translation } from "../define.js";
import type * as english from "../en/outcomes.js";

export const outcomes: Translation<typeof english.outcomes> = {
  noLogin: "aucun login",
  move: "{name} : {before}{arrow}{after} {by}",
  after: "puis",
  by: "par {rule}",
  which: "Lesquels ont été testés",
  stay: "{name} : {rule}",
  oneMoves: "Le login de test va ailleurs",
  oneStays: "Le login de test va là où il va maintenant",
  allStay: "Les {all} logins de test vont là où ils vont maintenant",
  someMove: { one: "{n} login de test sur {all} va ailleurs", other: "{n} logins de test sur {all} vont ailleurs" },
  itself: "l’organisation {org} elle-même",
  thenNext: ", puis ",
};
