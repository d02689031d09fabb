import { formatPointer } from "./json-pointer.js";

/**
 * `value` as JSON has it: whatever has a method `toJSON`, such as a Date, is what that returns, and members that are
 * `undefined` are absent. A bigint is a number. The value itself when it is JSON already, otherwise a copy. Works at any
 * depth. Nothing at all (`undefined`) stays that.
 *
 * @throws {TypeError} when a part of `value` has no form in JSON: an invalid Date, NaN, a function, a Map and so on
 */
export function toJsonForm(value: unknown): unknown {
  return value === undefined || isJsonForm(value) ? value : copy(value);
}

/** Visits a container once, so that a cycle ends. */
function isJsonForm(root: unknown): boolean {
  const pending: unknown[] = [root];
  const seen = new Set<unknown>();
  while (pending.length > 0) {
    const value = pending.pop();
    if (!isObjectValue(value)) {
      if (!isScalar(value)) return false;
    } else if (!seen.has(value)) {
      if (hasToJson(value) || !isContainer(value)) return false;
      seen.add(value);
      for (const member of Object.values(value)) pending.push(member);
    }
  }
  return true;
}

function copy(root: unknown): unknown {
  const copies = new Map<object, object>();
  const pending: [source: object, target: object, pointer: string][] = [];
  const result = convert(root, "", "");
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [source, target, pointer] = next;
    for (const [name, member] of Object.entries(source) as [string, unknown][]) {
      if (member === undefined && !Array.isArray(source)) continue;
      const value = convert(member, name, pointer + formatPointer([name]));
      Object.defineProperty(target, name, { value, configurable: true, enumerable: true, writable: true });
    }
  }
  return result;

  function convert(given: unknown, name: string, pointer: string): unknown {
    const value = hasToJson(given) && !isInvalidDate(given) ? given.toJSON(name) : given;
    if (isScalar(value)) return value;
    if (!isObjectValue(value) || !isContainer(value)) throw noForm(value, pointer);
    const known = copies.get(value);
    if (known) return known;
    const target = Array.isArray(value) ? [] : {};
    copies.set(value, target);
    pending.push([value, target, pointer]);
    return target;
  }
}

function isObjectValue(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isScalar(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "bigint";
}

/** An array, or an object whose members are its content: not a Map, a Date, a typed array and so on. */
function isContainer(value: object): boolean {
  return Array.isArray(value) || Object.prototype.toString.call(value) === "[object Object]";
}

function hasToJson(value: unknown): value is { toJSON: (name: string) => unknown } {
  return isObjectValue(value) && typeof (value as { toJSON?: unknown }).toJSON === "function";
}

function isInvalidDate(value: unknown): boolean {
  return value instanceof Date && Number.isNaN(value.getTime());
}

function noForm(value: unknown, pointer: string): TypeError {
  const what = isInvalidDate(value) ? "An invalid Date" : `A value ${describe(value)}`;
  return new TypeError(`${what} at ${JSON.stringify(pointer)} has no form in JSON; convert it first`);
}

function describe(value: unknown): string {
  if (!isObjectValue(value)) return typeof value === "number" ? String(value) : `of type ${typeof value}`;
  return `of type ${Object.prototype.toString.call(value).slice("[object ".length, -1)}`;
}
