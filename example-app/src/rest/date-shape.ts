import { formatDate, isDate, parseDate } from "etiquette/dates";
import { z } from "zod";

/** A date that a client sends: a date-time of RFC 3339. It becomes the API's form, cut to the millisecond. */
export const DATE_SHAPE = z
  .string()
  .refine(isDate, "must be a date such as 2026-01-31T08:00:00.000Z")
  .overwrite(toApiDate)
  .meta({ format: "date-time" });

function toApiDate(text: string): string {
  const date = parseDate(text);
  return date ? formatDate(date) : text;
}
