/** One value per request, written by the middleware that owns it and read through its accessors. */
export interface RequestSlot<T> {
  set(req: object, value: T): void;
  /** @throws {Error} when the middleware did not run for this request */
  get(req: object): T;
  tryGet(req: object): T | undefined;
}

/**
 * A slot for what `middleware` finds out about a request: a property under a registered symbol, so that two copies of
 * the package share it and no other package collides with it.
 */
export function createRequestSlot<T>(middleware: string): RequestSlot<T> {
  const key = Symbol.for(`etiquette.${middleware}`);

  function tryGet(req: object): T | undefined {
    return (req as Record<symbol, T | undefined>)[key];
  }

  return {
    set(req, value) {
      (req as Record<symbol, T>)[key] = value;
    },
    tryGet,
    get(req) {
      const value = tryGet(req);
      if (value === undefined) {
        throw new Error(`${middleware}() did not run for this request; mount it before what reads its value`);
      }
      return value;
    },
  };
}
