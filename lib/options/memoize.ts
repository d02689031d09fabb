/** Enough for the few spellings of a header that real clients send. */
const MAX_ENTRIES = 128;

/** A longer key is computed each time, so that a caller can't fill the memory. */
const MAX_KEY_LENGTH = 256;

/**
 * The pure function `compute`, with up to 128 results kept by `key`. The result for a key of more than 256 characters is
 * not kept; a full cache starts afresh.
 *
 * @param compute its result must follow from `key` alone; `source` is a cheaper way to it
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
