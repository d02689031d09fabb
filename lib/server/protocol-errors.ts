import { Server as HttpServer } from "node:http";
import { Server as HttpsServer } from "node:https";
import { assertKnownOptions } from "../options/index.js";
import { admitOnly, isGuarded } from "./admission.js";
import { parseProtocolOptions, PROTOCOL_OPTIONS, type ProtocolErrorsOptions } from "./settings.js";

/**
 * Have `server` answer what no middleware gets to see with the error object, and set its time-outs: requests that can't
 * be parsed or come too late, a header that is too large, a missing, repeated or invalid `Host`, expectations, `CONNECT`,
 * upgrades. The connection is then closed. Where the application listens for such an event itself (`clientError`,
 * `checkContinue`, `checkExpectation`, `connect`, `upgrade`), it answers itself.
 *
 * @returns `server`
 * @throws {TypeError} when `server` has them already, or an option is unknown, of the wrong type or out of bounds
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
