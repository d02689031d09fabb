import { defineTexts } from "../define.js";

/** What a change does to logins. */
export const outcomes = defineTexts("outcomes", {
  noLogin: "no login",
  move: "{name}: {before}{arrow}{after} {by}",
  after: "then",
  by: "by {rule}",
  which: "Which were tested",
  stay: "{name}: {rule}",
  oneMoves: "The test login goes elsewhere",
  oneStays: "The test login goes where it goes now",
  allStay: "All {all} test logins go where they go now",
  someMove: { one: "{n} of {all} test logins goes elsewhere", other: "{n} of {all} test logins go elsewhere" },
  itself: "{org} itself",
  thenNext: ", then ",
});
