export interface ReloadOptions<K, V> {
  /** How many changes there were. */
  count: () => number;
  /** Whether what is loaded for a key, or its absence, has changed after the first `before` changes. */
  isOutdated: (key: K, before: number) => boolean;
  /** @param loaded what the load before has found, if this one has waited for it */
  load: (key: K, loaded: V | undefined, before: number) => Promise<V | undefined>;
}

interface Load<V> {
  readonly result: Promise<V | undefined>;
  /** How many changes there were when it began; `undefined` while it waits for the load before it. */
  changes: number | undefined;
}

/**
 * Callers that ask for the same key at the same time share one load, if they came before the next change. Later callers wait
 * for a second load, however many changes there are until the first one ends.
 */
export function createReload<K, V>({
  count,
  isOutdated,
  load,
}: Readonly<ReloadOptions<K, V>>): (key: K) => Promise<V | undefined> {
  const loads = new Map<K, Load<V>>();

  return function reload(key) {
    const running = loads.get(key);
    const isShared = running && (running.changes === undefined || !isOutdated(key, running.changes));
    if (isShared) return running.result;

    const started: Load<V> = { changes: undefined, result: run() };
    loads.set(key, started);
    return started.result;

    async function run(): Promise<V | undefined> {
      const loaded = await running?.result.catch(() => undefined);
      started.changes = count();
      try {
        return await load(key, loaded, started.changes);
      } finally {
        if (loads.get(key) === started) loads.delete(key);
      }
    }
  };
}
