import {
  createServer as createHttpServer,
  maxHeaderSize as defaultMaxHeaderSize,
  type Server as HttpServer,
  type RequestListener,
} from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import type { TlsOptions } from "node:tls";
import { assertKnownOptions, booleanOption, integerOption, optionError } from "../factory/index.js";
import { accelerateResponses, accelerateRoutes, isExpressApp, messagesFor } from "../express/index.js";
import { admitOnly } from "./admission.js";
import { CONNECTION_OPTIONS, parseConnectionOptions, type ConnectionOptions } from "./connection-settings.js";
import { parseProtocolOptions, PROTOCOL_OPTIONS, type ProtocolErrorsOptions } from "./protocol-options.js";
import { createWriteBatch } from "./write-batch.js";

export { protocolErrors } from "./protocol-errors.js";
export type { ProtocolErrorReport, ProtocolErrorsOptions } from "./protocol-options.js";

export interface CreateServerOptions extends ProtocolErrorsOptions, ConnectionOptions {
  /**
   * The TLS options of `https.createServer`: `key` and `cert`, `pfx`, or an `SNICallback`. They make it an HTTPS server.
   *
   * @default undefined: an HTTP server
   */
  tls?: TlsOptions;

  /**
   * The most bytes of the request line and the header together, 1,024–1,048,576. A longer header is 431.
   *
   * @default 16384, or the value of Node's flag --max-http-header-size
   */
  maxHeaderSize?: number;

  /**
   * Write the small responses of one turn of the event loop together at its end, when the turn before had three or more.
   * `false` is for handlers that compute for milliseconds without a pause.
   *
   * @default true
   */
  batch?: boolean;

  /**
   * Use faster functions for the routes and responses of an Express app, where they do the same as those of Express.
   *
   * @default true
   */
  accelerate?: boolean;
}

const OPTIONS: Record<keyof CreateServerOptions, true> = {
  ...PROTOCOL_OPTIONS,
  ...CONNECTION_OPTIONS,
  tls: true,
  maxHeaderSize: true,
  batch: true,
  accelerate: true,
};

/**
 * Create the server for `app`, HTTP or with `tls` HTTPS, with {@link protocolErrors}. It does not listen yet. It creates
 * requests and responses with the prototypes of an Express app, so that Express needn't change them.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 * @example
 * createServer(app).listen(3000);
 */
export function createServer(
  app: RequestListener,
  options: Readonly<CreateServerOptions> & { readonly tls: TlsOptions },
): HttpsServer;
export function createServer(app: RequestListener, options?: Readonly<CreateServerOptions>): HttpServer;
export function createServer(app: RequestListener, options: Readonly<CreateServerOptions> = {}): HttpServer {
  const { tls, serverOptions, batch, accelerates, settings, limits } = parseServerOptions(app, options);
  if (accelerates) accelerateResponses(app);
  const server = tls ? createHttpsServer({ ...tls, ...serverOptions }, app) : createHttpServer(serverOptions, app);
  if (accelerates) {
    server.prependOnceListener("request", () => {
      accelerateRoutes(app);
    });
  }
  if (batch) server.on(tls ? "secureConnection" : "connection", createWriteBatch());
  admitOnly(server, settings, isExpressApp(app), limits);
  return server;
}

function parseServerOptions(app: RequestListener, options: Readonly<CreateServerOptions>) {
  if (typeof (app as unknown) !== "function") {
    throw new TypeError("createServer: the first argument must be an Express app");
  }
  assertKnownOptions("createServer", options, OPTIONS);
  const settings = parseProtocolOptions("createServer", options);
  const maxHeaderSize = integerOption("createServer", "maxHeaderSize", options.maxHeaderSize, {
    fallback: defaultMaxHeaderSize,
    min: 1_024,
    max: 1_048_576,
  });
  const { tls } = options;
  if (tls !== undefined && !hasCertificate(tls)) {
    throw optionError("createServer", "tls", "an object with `key` and `cert`, `pfx` or `SNICallback`");
  }
  const { headersTimeout } = settings.timeouts;
  // a TLS handshake needs no more time than a header; Node would wait 120 s for it
  return {
    settings,
    limits: parseConnectionOptions("createServer", options),
    batch: booleanOption("createServer", "batch", options.batch, true),
    accelerates: booleanOption("createServer", "accelerate", options.accelerate, true),
    serverOptions: { maxHeaderSize, ...messagesFor(app) },
    tls: tls && { ...(headersTimeout !== undefined && { handshakeTimeout: headersTimeout }), ...tls },
  };
}

/** An HTTPS server without a certificate would start, and then fail every handshake. */
function hasCertificate(tls: unknown): boolean {
  if (typeof tls !== "object" || tls === null) return false;
  const { key, cert, pfx, SNICallback } = tls as TlsOptions;
  return Boolean((key && cert) ?? pfx ?? SNICallback);
}
