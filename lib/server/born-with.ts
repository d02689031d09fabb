import { createRequestSlot, type RequestSlot } from "../options/index.js";

/** Servers whose requests and responses are made by constructors of {@link bornWith}. */
export const bornServers: RequestSlot<true> = createRequestSlot<true>("bornWith");

/**
 * A constructor like `Parent`, one of the functions of `node:http`, whose objects have `prototype` from birth; to set
 * the prototype of a request later makes every use of it slow on Node 20 and 22. In all else they are the objects that
 * `Parent` makes: `prototype` is one that inherits from that of `Parent`, and is left as it is.
 */
export function bornWith<C extends new (...args: never[]) => object>(Parent: C, prototype: InstanceType<C>): C {
  const initialise = Parent as unknown as (this: object, first: unknown, second: unknown) => void;

  // V8 makes room in an object for what its constructor assigns and those from which the constructor inherits. It has
  // no name, so that stack traces tell that of `Parent`, and is no class, whose prototype could not be chosen.
  const constructor: unknown = Object.setPrototypeOf(function (this: object, first: unknown, second: unknown) {
    initialise.call(this, first, second);
  }, Parent);
  return Object.assign(constructor as C, { prototype });
}
