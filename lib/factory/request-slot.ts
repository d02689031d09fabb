import { knownRecordOf, recordOf } from "./request-record.js";

/** One value per request. The middleware that owns the slot writes it; accessors such as `getX` read it. */
export interface RequestSlot<T> {
  /** Store the value of this request. `null` means that the middleware ran and found no value. */
  set(req: object, value: T | null): void;
  /**
   * The value of this request.
   *
   * @throws {Error} when the middleware did not run for this request, or found no value; the message says which
   */
  get(req: object): T;
  /** The value, or `undefined` when there is none. */
  tryGet(req: object): T | undefined;
  /** Whether the middleware ran for this request, with or without a value. */
  has(req: object): boolean;
}

/**
 * Create a slot for a value that `middleware` stores for each request. All slots of a request share one property of it:
 * on Node 20 and 22 each further property costs microseconds, because Express changes the prototype of the request.
 *
 * @param nothing completes "<middleware>() ran, but …" for a request that has no value
 * @example
 * const slot = createRequestSlot<string>("locale");
 * slot.set(req, "de");
 * slot.get(req); // "de"
 */
export function createRequestSlot<T>(middleware: string, nothing = "this request has no value"): RequestSlot<T> {
  const name = `${middleware}()`; // no property inherited from Object.prototype has such a name

  function read(req: object): T | null | undefined {
    return knownRecordOf(req)?.[name] as T | null | undefined;
  }

  return {
    set(req, value) {
      (recordOf(req) as Record<string, unknown>)[name] = value;
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
