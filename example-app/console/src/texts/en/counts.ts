import { defineTexts } from "../define.js";

/** How many logins there were of late. */
export const counts = defineTexts("counts", {
  none: "No login in 90 days",
  some: "Logins: {day} in 24 hours, {week} in 7 days, {month} in 30 days",
});
