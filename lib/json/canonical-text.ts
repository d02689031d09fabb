import { formatDate } from "../text/index.js";

/** Deeper than any object of an API, and far from a stack overflow. */
export const MAX_CANONICAL_DEPTH = 1000;

/** Bounds of the lists of names whose order is cached. */
const MAX_REMEMBERED_NAMES = 128;
const MAX_REMEMBERED_LENGTH = 64;

/** The names of an object's members, in its order and sorted, and the text to write for them. */
interface Layout {
  readonly names: readonly string[];
  readonly sorted: readonly string[];
  /** The text before a member that is written first, by the index of its name in `sorted`. */
  readonly firstLeads: readonly string[];
  /** The text before any other member. */
  readonly leads: readonly string[];
}

/** The last layout for each number of names. Objects of one kind mostly have the same order, and sorting is slow. */
const rememberedLayouts: (Layout | undefined)[] = [];

/** The text that opens a string, by its length; most strings are short. */
const OPENINGS: readonly string[] = Array.from({ length: 256 }, (_, length) => `"${length}:`);

/**
 * Format a JSON value so that values with the same meaning, and only those, have the same text. Members are sorted by
 * name, null and undefined members are left out (rule N3), a Date is the text of rule S4, -0 is 0, a bigint is its digits.
 * Any other value has the meaning that `JSON.stringify` gives it, `toJSON()` included.
 *
 * value  = string / number / "true" / "false" / array / object
 * string = DQUOTE length ":" text
 * array  = "[" *( ( value / "null" ) "," ) "]"
 * object = "{" *( length ":" name value "," ) "}"
 *
 * Lengths instead of escapes make this faster than JSON.
 *
 * @returns `undefined` for null and undefined
 * @throws {TypeError} for values that JSON can't represent: NaN, an infinity, a function, a symbol, an invalid Date, a Map
 *   and other instances of classes without `toJSON()`, and for a value that is nested more than 1,000 levels deep or
 *   contains itself
 */
export function formatCanonical(value: unknown): string | undefined {
  return append("", value, 0) || undefined;
}

/**
 * Append the canonical text of `value` to `text`; nothing for null and undefined. Everything is appended to one string: a
 * part that is built separately would be copied again when it is joined.
 */
function append(text: string, value: unknown, depth: number): string {
  switch (typeof value) {
    case "undefined":
      return text;
    case "string":
      return text + (OPENINGS[value.length] ?? `"${value.length}:`) + value;
    case "boolean":
    case "bigint":
      return text + String(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`JSON has no form for ${value}`);
      return text + String(value);
    case "object":
      return value === null ? text : appendObject(text, value, depth + 1);
    default:
      throw new TypeError(`JSON has no form for a ${typeof value}`);
  }
}

function appendObject(text: string, value: object, depth: number): string {
  if (depth > MAX_CANONICAL_DEPTH) {
    throw new TypeError(`the value is nested more than ${MAX_CANONICAL_DEPTH} levels deep, or contains itself`);
  }
  if (Array.isArray(value)) return appendElements(text, value, depth);
  if (value instanceof Date) return append(text, formatInstant(value), depth);
  if (hasToJson(value)) return append(text, value.toJSON(), depth);
  if (isPlainObject(value)) return appendMembers(text, value as Record<string, unknown>, depth);
  throw new TypeError("JSON has no form for an instance of a class without toJSON()");
}

/** A null element keeps its place. */
function appendElements(text: string, elements: readonly unknown[], depth: number): string {
  let longer = `${text}[`;
  for (const element of elements) {
    const { length } = longer;
    longer = append(longer, element, depth);
    longer += longer.length === length ? "null," : ",";
  }
  return `${longer}]`;
}

function appendMembers(text: string, object: Readonly<Record<string, unknown>>, depth: number): string {
  const { sorted, firstLeads, leads } = layoutOf(object);
  let longer = text;
  let nextLeads = firstLeads;
  for (let index = 0; index < sorted.length; index++) {
    const member = object[sorted[index] ?? ""];
    if (member === undefined || member === null) continue;
    const before = longer + (nextLeads[index] ?? "");
    const after = append(before, member, depth);
    if (after.length === before.length) continue; // its toJSON() returned nothing
    longer = after;
    nextLeads = leads;
  }
  return longer + (nextLeads === firstLeads ? "{}" : ",}");
}

function formatInstant(date: Readonly<Date>): string {
  if (Number.isNaN(date.getTime())) throw new TypeError("JSON has no form for an invalid Date");
  return formatDate(date);
}

function hasToJson(value: object): value is { toJSON: () => unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/** Accepts objects of any realm: a database driver may create its rows in another realm than that of the tests. */
function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function layoutOf(object: object): Layout {
  const names = Object.keys(object);
  const known = rememberedLayouts[names.length];
  if (known && isSameList(known.names, names)) return known;

  const sorted = names.toSorted();
  const leads = sorted.map((name) => `,${name.length}:${name}`);
  const layout = { names, sorted, firstLeads: leads.map((lead) => `{${lead.slice(1)}`), leads };
  if (names.length <= MAX_REMEMBERED_NAMES && names.every((name) => name.length <= MAX_REMEMBERED_LENGTH)) {
    rememberedLayouts[names.length] = layout;
  }
  return layout;
}

/** Compares lists of the same length. */
function isSameList(a: readonly string[], b: readonly string[]): boolean {
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
