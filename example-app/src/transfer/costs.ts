/**
 * What it costs to check, compare or write a value, see {@link Steps}: of each member and element, and of long texts. An org decides
 * how many these are.
 */
export function costOf(value: unknown): number {
  if (typeof value === "string") return MEMBER_COST + value.length / CHARACTERS;
  if (typeof value !== "object" || value === null) return MEMBER_COST;
  let cost = MEMBER_COST;
  for (const member of Object.values(value)) cost += costOf(member);
  return cost;
}

const MEMBER_COST = 2;

/** How many characters of a text cost a microsecond. */
const CHARACTERS = 200;
