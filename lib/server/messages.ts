import { IncomingMessage, ServerResponse, type RequestListener } from "node:http";
import { createRequestSlot, type RequestSlot } from "../options/index.js";

/** Servers whose requests and responses are made by constructors of {@link messagesFor}. */
export const bornServers: RequestSlot<true> = createRequestSlot<true>("bornWith");

/** What makes an Express app: a listener that sets these prototypes on the requests and responses it gets. */
interface ExpressApp extends RequestListener {
  readonly handle: (...args: unknown[]) => unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Messages {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/** What a server makes requests and responses with. Those for an Express app have what it sets on them from birth. */
export function messagesFor(app: RequestListener): Messages {
  if (!isExpressApp(app)) return { IncomingMessage, ServerResponse };
  return {
    IncomingMessage: bornWith(IncomingMessage, app.request),
    ServerResponse: bornWith(ServerResponse, app.response),
  };
}

export function isExpressApp(app: RequestListener): app is ExpressApp {
  const { handle, request, response } = app as Partial<ExpressApp>;
  return typeof handle === "function" && request instanceof IncomingMessage && response instanceof ServerResponse;
}

/**
 * A constructor like `Parent`, one of the functions of `node:http`, whose objects have `prototype` from birth; to set
 * the prototype of a request later makes every use of it slow on Node 20 and 22. In all else they are the objects that
 * `Parent` makes: `prototype` is one that inherits from that of `Parent`, and is left as it is.
 *
 * @returns `Parent` where it is a class, which can't be called for an object that is there
 */
export function bornWith<C extends new (...args: never[]) => object>(Parent: C, prototype: InstanceType<C>): C {
  if (Function.prototype.toString.call(Parent).startsWith("class")) return Parent;
  const initialise = Parent as unknown as (this: object, first: unknown, second: unknown) => void;

  // V8 makes room in an object for what its constructor assigns and those from which the constructor inherits. It has
  // no name, so that stack traces tell that of `Parent`, and is no class, whose prototype could not be chosen.
  const constructor: unknown = Object.setPrototypeOf(function (this: object, first: unknown, second: unknown) {
    initialise.call(this, first, second);
  }, Parent);
  return Object.assign(constructor as C, { prototype });
}
