import { Server as HttpServer } from "node:http";
import { Server as HttpsServer } from "node:https";
import { assertKnownOptions } from "../factory/index.js";
import { admitOnly, isGuarded } from "./admission.js";
import { parseProtocolOptions, PROTOCOL_OPTIONS, type ProtocolErrorsOptions } from "./protocol-options.js";

/**
 * Make `server` send the error object for requests that never reach a middleware, and set its time-outs. Such requests
 * can't be parsed, arrive too late, have a header that is too large, a missing, repeated or invalid `Host` or an unknown
 * expectation, or ask for `CONNECT` or an upgrade. The connection is then closed. When the application listens for one of
 * these events (`clientError`, `checkContinue`, `checkExpectation`, `connect`, `upgrade`), the application responds.
 *
 * @returns `server`
 * @throws {TypeError} when `server` is not a server of Node, was passed before, or an option is unknown, of the wrong
 *   type or out of bounds
 * @example
 * protocolErrors(app.listen(3000));
 */
export function protocolErrors<S extends HttpServer>(server: S, options: Readonly<ProtocolErrorsOptions> = {}): S {
  if (!(server instanceof HttpServer || (server as unknown) instanceof HttpsServer)) {
    throw new TypeError("protocolErrors: the first argument must be a server of node:http or node:https");
  }
  if (isGuarded(server)) throw new TypeError("protocolErrors: this server has them already");
  assertKnownOptions("protocolErrors", options, PROTOCOL_OPTIONS);
  admitOnly(server, parseProtocolOptions("protocolErrors", options));
  return server;
}
