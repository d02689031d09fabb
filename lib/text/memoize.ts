/** Enough for the few spellings of a header that real clients send. */
const MAX_ENTRIES = 128;

/** The result for a longer key is not kept, so that a client can't fill the memory. */
const MAX_KEY_LENGTH = 256;

/**
 * Cache the results of the pure function `compute` by `key`: up to 128 of them, for keys of up to 256 characters. A full
 * cache is cleared.
 *
 * @param compute its result must depend on `key` alone; `source` may hold the same data in a form that is cheaper to read
 */
export function memoize<T, S = void>(compute: (key: string, source: S) => T): (key: string, source: S) => T {
  const results = new Map<string, T>();

  return function memoized(key, source) {
    if (key.length > MAX_KEY_LENGTH) return compute(key, source);
    const known = results.get(key);
    if (known !== undefined || results.has(key)) return known as T;

    const result = compute(key, source);
    if (results.size === MAX_ENTRIES) results.clear();
    results.set(key, result);
    return result;
  };
}
