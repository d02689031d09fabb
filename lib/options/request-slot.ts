/** One value per request, written by the middleware that owns it and read through its accessors. */
export interface RequestSlot<T> {
  set(req: object, value: T): void;
  /** @throws {Error} when the middleware did not run for this request */
  get(req: object): T;
  tryGet(req: object): T | undefined;
}

/** A registered symbol, so that two copies of the package share what is under it and no other package collides with it. */
const KEY = Symbol.for("etiquette");

interface SlotHolder {
  [KEY]: Record<string, unknown> | undefined;
}

/**
 * A slot for what `middleware` finds out about a request. The slots of a request are one property of it, for on Node 20 and
 * 22 each more costs microseconds where Express has changed the prototype of the request.
 */
export function createRequestSlot<T>(middleware: string): RequestSlot<T> {
  const name = `${middleware}()`; // as which no object inherits anything

  function tryGet(req: object): T | undefined {
    return (req as SlotHolder)[KEY]?.[name] as T | undefined;
  }

  return {
    set(req, value) {
      ((req as SlotHolder)[KEY] ??= {})[name] = value;
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
