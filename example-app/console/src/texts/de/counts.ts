import type { Translation } from "../define.js";
import type * as english from "../en/counts.js";

export const counts: Translation<typeof english.counts> = {
  none: "Kein Login in 90 Tagen",
  some: "Logins: {day} in 24 Stunden, {week} in 7 Tagen, {month} in 30 Tagen",
};
