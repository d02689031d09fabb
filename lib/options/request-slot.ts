/** One value per request, written by the middleware that owns it and read through its accessors. */
export interface RequestSlot<T> {
  /** `null` says that the middleware ran and that this request has no value. */
  set(req: object, value: T | null): void;
  /** @throws {Error} when the middleware did not run for this request, or found no value; the message says which */
  get(req: object): T;
  /** The value, or `undefined` when there is none for whatever reason. */
  tryGet(req: object): T | undefined;
  /** Whether the middleware ran for this request, with or without a value. */
  has(req: object): boolean;
}

/** A registered symbol, so that two copies of the package share what is under it and no other package collides with it. */
const KEY = Symbol.for("etiquette");

interface SlotHolder {
  [KEY]: Record<string, unknown> | undefined;
}

/**
 * A slot for what `middleware` finds out about a request. The slots of a request are one property of it, for on Node 20 and
 * 22 each more costs microseconds where Express has changed the prototype of the request.
 *
 * @param nothing completes "<middleware>() ran, but …" for a request that has no value
 * @example
 * const slot = createRequestSlot<string>("locale");
 * slot.set(req, "de");
 * slot.get(req); // "de"
 */
export function createRequestSlot<T>(middleware: string, nothing = "this request has no value"): RequestSlot<T> {
  const name = `${middleware}()`; // as which no object inherits anything

  function read(req: object): T | null | undefined {
    return (req as SlotHolder)[KEY]?.[name] as T | null | undefined;
  }

  return {
    set(req, value) {
      ((req as SlotHolder)[KEY] ??= {})[name] = value;
    },
    tryGet: (req) => read(req) ?? undefined,
    has: (req) => read(req) !== undefined,
    get(req) {
      const value = read(req);
      if (value === undefined) {
        throw new Error(`${middleware}() did not run for this request; mount it before what reads its value`);
      }
      if (value === null) throw new Error(`${middleware}() ran, but ${nothing}`);
      return value;
    },
  };
}
