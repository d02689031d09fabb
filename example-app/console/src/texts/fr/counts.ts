import type { Translation } from "../define.js";
import type * as english from "../en/counts.js";

export const counts: Translation<typeof english.counts> = {
  none: "Aucun login en 90 jours",
  some: "Logins : {day} en 24 heures, {week} en 7 jours, {month} en 30 jours",
};
