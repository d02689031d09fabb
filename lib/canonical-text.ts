import { formatDate } from "./dates.js";

/** Deeper than any object of an API, and far from the end of the stack. */
export const MAX_CANONICAL_DEPTH = 1000;

/** Bounds of the lists of names whose order is remembered. */
const MAX_REMEMBERED_NAMES = 128;
const MAX_REMEMBERED_LENGTH = 64;

/** Names of members as an object had them, and the same sorted. */
interface NameOrder {
  readonly names: readonly string[];
  readonly sorted: readonly string[];
}

/** The last order seen of each number of names: objects of one kind mostly come in one order, and sorting is slow. */
const rememberedOrders: (NameOrder | undefined)[] = [];

/**
 * Write a value of JSON in one form, which is equal for values that mean the same and for no others: members are sorted
 * by name, those that are null or undefined are left out (rule N3), a Date is the text of rule S4, -0 is 0, a bigint is
 * its digits. Otherwise it means what `JSON.stringify` would write, also for what has a `toJSON()`.
 *
 * value  = string / number / "true" / "false" / array / object
 * string = DQUOTE length ":" text
 * array  = "[" *( ( value / "null" ) "," ) "]"
 * object = "{" *( length ":" name value "," ) "}"
 *
 * With lengths instead of escapes it takes half the time that JSON does.
 *
 * @returns `undefined` for null and undefined
 * @throws {TypeError} for what JSON has no form for: NaN, an infinity, a function, a symbol, an invalid Date, a Map and
 *   other instances of classes without `toJSON()`, and what is nested more than 1,000 levels deep or holds itself
 */
export function formatCanonical(value: unknown, depth = 0): string | undefined {
  switch (typeof value) {
    case "undefined":
      return undefined;
    case "string":
      return formatText(value);
    case "boolean":
    case "bigint":
      return String(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`JSON has no form for ${value}`);
      return String(value);
    case "object":
      return value === null ? undefined : formatObject(value, depth + 1);
    default:
      throw new TypeError(`JSON has no form for a ${typeof value}`);
  }
}

function formatText(text: string): string {
  return `"${text.length}:${text}`;
}

function formatObject(value: object, depth: number): string | undefined {
  if (depth > MAX_CANONICAL_DEPTH) {
    throw new TypeError(`the value is nested more than ${MAX_CANONICAL_DEPTH} levels deep, or holds itself`);
  }
  if (Array.isArray(value)) return formatElements(value, depth);
  if (value instanceof Date) return formatInstant(value);
  if (hasToJson(value)) return formatCanonical(value.toJSON(), depth);
  if (isPlainObject(value)) return formatMembers(value as Record<string, unknown>, depth);
  throw new TypeError("JSON has no form for an instance of a class without toJSON()");
}

/** An element that is null keeps its place. */
function formatElements(elements: readonly unknown[], depth: number): string {
  let text = "[";
  for (const element of elements) text += `${formatCanonical(element, depth) ?? "null"},`;
  return `${text}]`;
}

function formatMembers(object: Readonly<Record<string, unknown>>, depth: number): string {
  let text = "{";
  for (const name of sortedNames(object)) {
    const member = formatCanonical(object[name], depth);
    if (member !== undefined) text += `${name.length}:${name}${member},`;
  }
  return `${text}}`;
}

function formatInstant(date: Readonly<Date>): string {
  if (Number.isNaN(date.getTime())) throw new TypeError("JSON has no form for an invalid Date");
  return formatText(formatDate(date));
}

function hasToJson(value: object): value is { toJSON: () => unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/** Of any realm: a database driver may make its rows in another one than the tests of an application run in. */
function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function sortedNames(object: object): readonly string[] {
  const names = Object.keys(object);
  const known = rememberedOrders[names.length];
  if (known && isSameList(known.names, names)) return known.sorted;

  const sorted = names.toSorted();
  if (names.length <= MAX_REMEMBERED_NAMES && names.every((name) => name.length <= MAX_REMEMBERED_LENGTH)) {
    rememberedOrders[names.length] = { names, sorted };
  }
  return sorted;
}

/** Of lists of one length. */
function isSameList(a: readonly string[], b: readonly string[]): boolean {
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
