import { defineTexts } from "../define.js";

/** Somebody else was faster to change a record. */
export const fieldConflict = defineTexts("fieldConflict", {
  title: "Somebody else changed this {what} meanwhile",
  choose: "Choose a value for each field that differs. What only one of you changed is chosen already.",
  theirs: "As it is now",
  mine: "As you changed it",
  save: "Save these values",
  take: "Take the {what} as it is now",
  open: "Still to choose: {fields}",
  nothing: "nothing",
  yes: "yes",
  no: "no",
});
