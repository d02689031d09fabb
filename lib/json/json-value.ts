/** Whether `value` is a JSON object: neither an array nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether two JSON values are equal (RFC 6902 section 4.6): numbers by value, strings by character, arrays element by
 * element, objects member by member in any order. Works at any depth; stops at the first difference.
 *
 * @param onCompare called with the number of members or elements of a container in `first` before they are compared
 */
export function isJsonEqual(first: unknown, second: unknown, onCompare?: (count: number) => void): boolean {
  const pending: unknown[] = [first, second];
  while (pending.length > 0) {
    const b = pending.pop();
    const a = pending.pop();
    if (a === b) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    onCompare?.(keys.length);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      pending.push((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]);
    }
  }
  return true;
}

/** The most that a JSON value may have. */
export interface JsonLimits {
  /** Characters as JSON text, not counting escapes. */
  readonly size: number;
  /** Levels of arrays and objects; the outermost is the first. */
  readonly depth: number;
  /** Members of all objects and elements of all arrays, counted together. */
  readonly members: number;
}

/**
 * A limit that `value` exceeds; `undefined` when it is within all. Works at any depth. It stops as soon as a limit is
 * exceeded, so a value that repeats a part many times costs no more.
 */
export function findExceededLimit(value: unknown, limits: JsonLimits): keyof JsonLimits | undefined {
  let size = 0;
  let members = 0;
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const below: unknown[] = [];
    for (const node of level) {
      if (typeof node === "string") {
        size += node.length + 2;
      } else if (typeof node !== "object" || node === null) {
        size += String(node).length;
      } else {
        if (depth === limits.depth) return "depth";
        const children = Array.isArray(node) ? (node as unknown[]) : Object.values(node);
        members += children.length;
        if (members > limits.members) return "members";
        size += 2 + Math.max(0, children.length - 1);
        if (!Array.isArray(node)) for (const key of Object.keys(node)) size += key.length + 3;
        for (const child of children) below.push(child);
      }
      if (size > limits.size) return "size";
    }
    level = below;
  }
  return undefined;
}
