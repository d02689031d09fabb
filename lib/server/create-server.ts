import { randomBytes } from "node:crypto";
import {
  createServer as createHttpServer,
  IncomingMessage,
  maxHeaderSize as defaultMaxHeaderSize,
  Server as HttpServer,
  ServerResponse,
  STATUS_CODES,
  type RequestListener,
} from "node:http";
import { createServer as createHttpsServer, Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import createError from "http-errors";
import { bornServers, bornWith } from "./born-with.js";
import { classifyError, clientError, type ErrorObject, formatErrorObject } from "../errors/index.js";
import { closeInStages, discardInput } from "./close-in-stages.js";
import {
  assertKnownOptions,
  booleanOption,
  compileNamespace,
  createRequestSlot,
  fieldNameOption,
  functionOption,
  integerOption,
  optionError,
} from "../options/index.js";
import { classifyParserError, type ParserError, type ParserLimits } from "./parser-error.js";
import { createIdGenerator, isRequestId } from "../http/index.js";
import { formatRawResponse } from "./raw-response.js";
import { findExpectFault, findRequestFault, type RequestFault } from "../checks/index.js";
import { parseServerTimeouts } from "./server-timeouts.js";
import { createWriteBatch } from "./write-batch.js";

/** As Apache and Tomcat have it; browsers and a chain of proxies send about thirty. */
const MAX_HEADERS_COUNT = 100;

/** The events of a server that hand a request to the application. */
const REQUEST_EVENTS: ReadonlySet<string | symbol> = new Set([
  "request",
  "checkContinue",
  "checkExpectation",
  "upgrade",
  "connect",
]);

const CONNECT_FAULT: RequestFault = ["E0009010", { type: "method.unsupported" }];

const PLAIN_HTTP_FAULT: RequestFault = [
  "E0000006",
  { type: "https.required", causes: ["This port speaks HTTPS and the request came in plain HTTP; use https://."] },
];

/** Servers that have been guarded. */
const guarded = createRequestSlot<true>("protocolErrors");

/** Sockets on which no further request is served. */
const refused = createRequestSlot<true>("protocolErrors.refused");

/** What is handed to `log` beside the error. */
export interface ProtocolErrorReport {
  /** The status of the answer, 400–599. */
  readonly status: number;
  /** What the client is told. */
  readonly errorObject: ErrorObject;
  /** The address of the TCP peer. */
  readonly remoteAddress: string | undefined;
  /** The request, when its head could be read. */
  readonly req: IncomingMessage | undefined;
}

export interface ProtocolErrorsOptions {
  /**
   * The name that public names derive from; 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * Header that carries the id on every answer. When a middleware has put an id there before the body of a request went
   * wrong, the answer has that id.
   *
   * @default "X-Svc-Request-Id", from the namespace
   */
  headerName?: string;

  /**
   * Makes the id of an answer: 1–128 characters of `A–Z a–z 0–9 . _ ~ -`. When it throws or returns another value, an id
   * of the default form is taken.
   *
   * @default 22 random characters of base64url (132 bits)
   */
  generator?: () => string;

  /**
   * Told of every answer, once, before it is sent. What it throws, returns or rejects with is ignored.
   *
   * @default () => undefined
   */
  log?: (error: Error, report: ProtocolErrorReport) => unknown;

  /**
   * Refuse requests to upgrade with 426 as long as the server has no `upgrade` listener. When false they are served as
   * ordinary requests, as plain Node does. `Upgrade: h2c` always is.
   *
   * @default true
   */
  refuseUpgrade?: boolean;

  /**
   * Milliseconds for the whole request to arrive, 1–3,600,000.
   *
   * @default 120000
   */
  requestTimeout?: number;

  /**
   * Milliseconds for the header to arrive, 1–`requestTimeout`; also for a TLS handshake, unless `tls` says otherwise.
   *
   * @default 20000, or `requestTimeout` when that is less
   */
  headersTimeout?: number;

  /**
   * Milliseconds that a connection may wait for its next request, 1–3,600,000.
   *
   * @default 65000
   */
  keepAliveTimeout?: number;

  /**
   * The most field lines of a header, 1–1,000; more are 431. (Node drops what is over its limit, unseen.)
   *
   * @default 100
   */
  maxHeadersCount?: number;
}

export interface CreateServerOptions extends ProtocolErrorsOptions {
  /**
   * What `https.createServer` takes: `key` and `cert`, `pfx`, or an `SNICallback`. With it the server is an HTTPS server.
   *
   * @default undefined: an HTTP server
   */
  tls?: TlsOptions;

  /**
   * The most bytes of the request line and the header together, 1,024–1,048,576; more are 431.
   *
   * @default Node's: 16384, unless it was started with --max-http-header-size
   */
  maxHeaderSize?: number;

  /**
   * Write the answers of one turn of the event loop together at its end, when the turn before had more than one. For
   * servers with many small answers at a time.
   *
   * @default false
   */
  batch?: boolean;
}

const OPTIONS: Record<keyof ProtocolErrorsOptions, true> = {
  namespace: true,
  headerName: true,
  generator: true,
  log: true,
  refuseUpgrade: true,
  requestTimeout: true,
  headersTimeout: true,
  keepAliveTimeout: true,
  maxHeadersCount: true,
};

const SERVER_OPTIONS: Record<keyof CreateServerOptions, true> = {
  ...OPTIONS,
  tls: true,
  maxHeaderSize: true,
  batch: true,
};

/** What Node notes on the sockets of a server; not documented, the same in Node 20, 22 and 24. */
interface ServerSocket extends Socket {
  /** The response that is being written. */
  readonly _httpMessage?: ServerResponse | null;
  /** Absent until a TLS handshake is through, `null` after an upgrade. */
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
  /** Of a TLS socket, the TCP socket below. */
  readonly _parent?: Socket | null;
}

/** What makes an Express app: a listener that sets these prototypes on the requests and responses it gets. */
interface ExpressApp extends RequestListener {
  readonly handle: (...args: unknown[]) => unknown;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * The server for `app`, HTTP or with `tls` HTTPS, which has {@link protocolErrors}. Does not listen yet: the rest is as
 * with `app.listen()`. Requests and responses have the prototypes of an Express app from birth, which spares Express
 * the change.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 */
export function createServer(
  app: RequestListener,
  options: Readonly<CreateServerOptions> & { readonly tls: TlsOptions },
): HttpsServer;
export function createServer(app: RequestListener, options?: Readonly<CreateServerOptions>): HttpServer;
export function createServer(app: RequestListener, options: Readonly<CreateServerOptions> = {}): HttpServer {
  const { tls, serverOptions, batch, settings } = parseServerOptions(app, options);
  const server = tls ? createHttpsServer({ ...tls, ...serverOptions }, app) : createHttpServer(serverOptions, app);
  if (batch) server.on(tls ? "secureConnection" : "connection", createWriteBatch());
  guard(server, settings, isExpressApp(app));
  return server;
}

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
  if (guarded.tryGet(server)) throw new TypeError("protocolErrors: this server has them already");
  assertKnownOptions("protocolErrors", options, OPTIONS);
  guard(server, parseSettings("protocolErrors", options));
  return server;
}

function guard(server: HttpServer, settings: Settings, isBorn = false): void {
  const { maxHeadersCount, refuseUpgrade, timeouts } = settings;
  guarded.set(server, true);
  if (isBorn) bornServers.set(server, true);
  Object.assign(server, timeouts, {
    requireHostHeader: false, // Node's own check answers and tells nobody
    maxHeadersCount: maxHeadersCount + 1, // what is over its limit Node drops; the one more shows that there was more
  });
  const rules = { maxHeadersCount, acceptsUpgrade: () => !refuseUpgrade || server.listenerCount("upgrade") > 0 };
  const refuse = createRefusal(settings);

  // A listener could not keep those of the application from being called; whoever emits must ask first.
  const emit = server.emit.bind(server) as (event: string | symbol, ...args: unknown[]) => boolean;
  server.emit = function emitAdmitted(event: string | symbol, ...args: unknown[]): boolean {
    if (REQUEST_EVENTS.has(event) && !admits(event, args[0] as IncomingMessage)) return true;
    return emit(event, ...args);
  };

  function admits(event: string | symbol, req: IncomingMessage): boolean {
    if (refused.tryGet(req.socket)) return false;
    const isTunnel = event === "upgrade" || event === "connect";
    if (isTunnel && isBorn) Object.setPrototypeOf(req, IncomingMessage.prototype); // it is not for the app
    const fault = findRequestFault(req, rules);
    if (fault) refuse(req.socket, fault, req, !isTunnel);
    return fault === undefined;
  }

  for (const event of ["checkContinue", "checkExpectation"] as const) {
    server.on(event, (req: IncomingMessage, res: ServerResponse) => {
      if (server.listenerCount(event) > 1) return;
      const fault = findExpectFault(req.headers.expect ?? "");
      if (fault) {
        refuse(req.socket, fault, req, true);
      } else {
        res.writeContinue();
        server.emit("request", req, res);
      }
    });
  }

  server.on("connect", (req: IncomingMessage) => {
    if (server.listenerCount("connect") === 1) refuse(req.socket, CONNECT_FAULT, req, false);
  });

  server.on("clientError", (error: ParserError, socket: ServerSocket) => {
    if (server.listenerCount("clientError") > 1) return;
    if (socket.parser === undefined) {
      refuseHandshake(error, socket);
    } else {
      const { incoming } = socket.parser ?? {};
      const req = incoming && !incoming.complete ? incoming : undefined;
      refuse(socket, classifyParserError(error, limitsOf(server)), req, req !== undefined);
    }
  });

  /** When TLS fails it has said so itself, except to a client that knows no TLS. */
  function refuseHandshake({ code }: ParserError, { _parent: tcpSocket }: ServerSocket): void {
    if (!tcpSocket) return;
    if (code === "ERR_SSL_HTTP_REQUEST") refuse(tcpSocket, PLAIN_HTTP_FAULT);
    else tcpSocket.destroy();
  }
}

/** A function that answers a fault on a socket and closes it, after the responses to earlier requests. */
function createRefusal({ headerName, generator, log }: Settings) {
  const defaultGenerator = createIdGenerator(randomBytes);

  /**
   * @param req the request at fault, when its head could be read
   * @param hasResponse whether Node made a response for `req`
   */
  return function refuse(socket: ServerSocket, fault: RequestFault, req?: IncomingMessage, hasResponse = false): void {
    refused.set(socket, true);
    settle();
    discardInput(socket);

    function settle(): void {
      if (!socket.writable) return; // closed, or closing after a response that said so
      const response = socket._httpMessage;
      if (response && (response.req !== req || response.writableEnded)) {
        response.once("close", settle);
      } else if (response?.headersSent) {
        socket.destroy(); // in the midst of its answer the client can be told nothing else
      } else {
        const answered = hasResponse && !response;
        closeInStages(socket, answered ? "" : compose(response));
      }
    }

    function compose(response: ServerResponse | null | undefined): string {
      const error = clientError(createError, ...fault);
      const { status, code, summary, causes } = classifyError(error);
      const errorObject = formatErrorObject(code, { id: identify(response), summary, causes });
      void report(error, { status, errorObject, remoteAddress: socket.remoteAddress, req });
      return formatRawResponse({
        status,
        reason: STATUS_CODES[status] ?? "",
        date: new Date(),
        headers: {
          Connection: "close",
          ...fault[1].headers,
          [headerName]: errorObject.errorId,
          "Content-Type": "application/json; charset=utf-8",
          "Cache-Control": "no-store",
          "X-Content-Type-Options": "nosniff",
        },
        body: JSON.stringify(errorObject),
        headOnly: req?.method === "HEAD",
      });
    }
  };

  function identify(response: ServerResponse | null | undefined): string {
    const present = response?.getHeader(headerName);
    if (isRequestId(present)) return present;
    try {
      const id: unknown = generator();
      if (isRequestId(id)) return id;
    } catch {
      // the answer matters more
    }
    return defaultGenerator();
  }

  /** A log that fails, at once or later, must take neither the answer nor the process with it. */
  async function report(...args: Parameters<typeof log>): Promise<void> {
    try {
      await log(...args);
    } catch {
      // its own failure is its own to report
    }
  }
}

function limitsOf(server: HttpServer): ParserLimits {
  const { headersTimeout, requestTimeout } = server;
  const { maxHeaderSize = defaultMaxHeaderSize } = server as { maxHeaderSize?: number };
  return { headersTimeout, requestTimeout, maxHeaderSize };
}

type Settings = ReturnType<typeof parseSettings>;

function parseSettings(factory: string, options: Readonly<ProtocolErrorsOptions>) {
  const { requestIdHeader } = compileNamespace(factory, options.namespace);
  return {
    headerName: fieldNameOption(factory, "headerName", options.headerName, requestIdHeader),
    generator: functionOption(factory, "generator", options.generator, createIdGenerator(randomBytes)),
    log: functionOption(factory, "log", options.log, () => undefined),
    refuseUpgrade: booleanOption(factory, "refuseUpgrade", options.refuseUpgrade, true),
    maxHeadersCount: integerOption(factory, "maxHeadersCount", options.maxHeadersCount, {
      fallback: MAX_HEADERS_COUNT,
      min: 1,
      max: 1_000,
    }),
    timeouts: parseServerTimeouts(factory, options),
  };
}

/** What a server makes requests and responses with. Those for an Express app have what it sets on them from birth. */
function messagesFor(app: RequestListener) {
  if (!isExpressApp(app)) return { IncomingMessage, ServerResponse };
  return {
    IncomingMessage: bornWith(IncomingMessage, app.request),
    ServerResponse: bornWith(ServerResponse, app.response),
  };
}

function isExpressApp(app: RequestListener): app is ExpressApp {
  const { handle, request, response } = app as Partial<ExpressApp>;
  return typeof handle === "function" && request instanceof IncomingMessage && response instanceof ServerResponse;
}

function parseServerOptions(app: RequestListener, options: Readonly<CreateServerOptions>) {
  if (typeof (app as unknown) !== "function") {
    throw new TypeError("createServer: the first argument must be an Express app");
  }
  assertKnownOptions("createServer", options, SERVER_OPTIONS);
  const settings = parseSettings("createServer", options);
  const maxHeaderSize = integerOption("createServer", "maxHeaderSize", options.maxHeaderSize, {
    fallback: defaultMaxHeaderSize,
    min: 1_024,
    max: 1_048_576,
  });
  const { tls } = options;
  if (tls !== undefined && !hasCertificate(tls)) {
    throw optionError("createServer", "tls", "an object with `key` and `cert`, `pfx` or `SNICallback`");
  }
  // a TLS handshake is no longer than a header; Node would wait 120 s for it
  return {
    settings,
    batch: booleanOption("createServer", "batch", options.batch, false),
    serverOptions: { maxHeaderSize, ...messagesFor(app) },
    tls: tls && { handshakeTimeout: settings.timeouts.headersTimeout, ...tls },
  };
}

/** Without a certificate an HTTPS server starts all the same, and then fails every handshake. */
function hasCertificate(tls: unknown): boolean {
  if (typeof tls !== "object" || tls === null) return false;
  const { key, cert, pfx, SNICallback } = tls as TlsOptions;
  return Boolean((key && cert) ?? pfx ?? SNICallback);
}
