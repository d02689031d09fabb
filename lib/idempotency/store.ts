/**
 * Where `idempotency()` keeps what became of each key. Several processes share one store. Keys are up to 100 characters of
 * `A–Z a–z 0–9 _ - .`; those of one principal begin with the same text up to the point. Values are texts.
 */
export interface IdempotencyStore {
  /**
   * Keep `value` under `key` for `lifetime` milliseconds, unless the key has a value that has not expired. It must be
   * atomic: of several calls at a time with the same key, one keeps its value.
   *
   * @returns the value that is there already; `undefined` when `value` was kept
   */
  add(key: string, value: string, lifetime: number): Promise<string | undefined>;
  /** Keep `value` under `key` for `lifetime` milliseconds, in place of the value that is there. */
  set(key: string, value: string, lifetime: number): Promise<void>;
  /** Forget the key. */
  delete(key: string): Promise<void>;
}
