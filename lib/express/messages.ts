import { EventEmitter } from "node:events";
import { IncomingMessage, ServerResponse, type RequestListener } from "node:http";
import { createRequestSlot, type RequestSlot } from "../factory/index.js";

/** Servers that create requests and responses with the prototypes of their Express app. */
export const appPrototypeServers: RequestSlot<true> = createRequestSlot<true>("appPrototypeServers");

/** The members of an Express app that matter here. It sets these prototypes on the requests and responses it gets. */
interface ExpressApp extends RequestListener {
  readonly handle: (...args: unknown[]) => unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Messages {
  readonly IncomingMessage: typeof IncomingMessage;
  readonly ServerResponse: typeof ServerResponse;
}

/** The constructors of a server's requests and responses. For an Express app, they use the prototypes of the app. */
export function messagesFor(app: RequestListener): Messages {
  if (!isExpressApp(app)) return { IncomingMessage, ServerResponse };
  return {
    IncomingMessage: withPrototype(IncomingMessage, app.request),
    ServerResponse: withPrototype(ServerResponse, app.response),
  };
}

/**
 * Have a server of `node:http` or `node:https` use {@link messagesFor} from its next request on. It must have an Express app as
 * its only listener, and the constructors of Node; otherwise nothing changes.
 */
export function adoptMessages(server: object): void {
  if (!(server instanceof EventEmitter)) return;
  const [app, ...others] = server.rawListeners("request") as RequestListener[];
  if (app === undefined || others.length > 0 || !isExpressApp(app)) return;
  const messages = messagesFor(app);
  const [request, response] = [findSymbol(server, IncomingMessage), findSymbol(server, ServerResponse)];
  if (request === undefined || response === undefined) return;
  Object.assign(server, { [request]: messages.IncomingMessage, [response]: messages.ServerResponse });
  appPrototypeServers.set(server, true);
}

/** Under which symbol a server keeps a constructor of Node, in Node 20 to 26; `undefined` if it has another one. */
function findSymbol(server: object, constructor: { name: string }): symbol | undefined {
  const symbols = Object.getOwnPropertySymbols(server);
  return symbols.find(
    (symbol) => symbol.description === constructor.name && Reflect.get(server, symbol) === constructor,
  );
}

export function isExpressApp(app: RequestListener): app is ExpressApp {
  const { handle, request, response } = app as Partial<ExpressApp>;
  return typeof handle === "function" && request instanceof IncomingMessage && response instanceof ServerResponse;
}

/**
 * Derive a constructor from `Parent`, a function of `node:http`, whose objects are created with `prototype`. Setting the
 * prototype of a request later would make every use of it slow on Node 20 and 22. `prototype` must inherit from
 * `Parent.prototype`, and is not changed.
 *
 * @returns `Parent` itself when it is a class, because a class can't be called for an existing object
 */
export function withPrototype<C extends new (...args: never[]) => object>(Parent: C, prototype: InstanceType<C>): C {
  if (Function.prototype.toString.call(Parent).startsWith("class")) return Parent;
  const initialise = Parent as unknown as (this: object, first: unknown, second: unknown) => void;

  // It inherits from `Parent` because V8 reserves room in an object for what its constructor and the constructors above
  // it assign. It has no name, so that stack traces show the name of `Parent`. It is a function because the prototype of
  // a class can't be replaced.
  const constructor: unknown = Object.setPrototypeOf(function (this: object, first: unknown, second: unknown) {
    initialise.call(this, first, second);
  }, Parent);
  return Object.assign(constructor as C, { prototype });
}
