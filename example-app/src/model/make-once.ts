/**
 * A function that calls `create` once for each key, for shapes that depend on the namespace: to make one takes long, and to
 * read the first value with it too.
 */
export function makeOnce<K, T>(create: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();

  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = create(key);
    made.set(key, value);
    return value;
  };
}
