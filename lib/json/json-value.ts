/** Whether `value` is a JSON object: neither an array nor null. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether two JSON values are equal (RFC 6902 section 4.6): numbers by value, strings by character, arrays element by
 * element, objects member by member in any order. Works at any depth; stops at the first difference.
 */
export function isJsonEqual(first: unknown, second: unknown): boolean {
  const pending: unknown[] = [first, second];
  while (pending.length > 0) {
    const b = pending.pop();
    const a = pending.pop();
    if (a === b) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      pending.push((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]);
    }
  }
  return true;
}

/**
 * Whether `value` takes at most `limit` characters as JSON text, not counting escapes. Works at any depth. It stops as
 * soon as the limit is exceeded, so a value that repeats a part many times costs no more.
 */
export function isJsonWithin(value: unknown, limit: number): boolean {
  let size = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "string") {
      size += next.length + 2;
    } else if (typeof next !== "object" || next === null) {
      size += String(next).length;
    } else {
      const members = Array.isArray(next) ? (next as unknown[]) : Object.values(next);
      size += 2 + Math.max(0, members.length - 1);
      if (!Array.isArray(next)) for (const key of Object.keys(next)) size += key.length + 3;
      if (size > limit) return false;
      for (const member of members) pending.push(member);
    }
    if (size > limit) return false;
  }
  return true;
}
