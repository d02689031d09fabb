import { IncomingMessage, maxHeaderSize as defaultMaxHeaderSize, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { findExpectFault, findRequestFault, type RequestFault } from "../faults/index.js";
import { apiError } from "../errors/index.js";
import { createRequestSlot } from "../factory/index.js";
import type { TellReport } from "../report/index.js";
import { appPrototypeServers } from "../express/index.js";
import { tcpSocketBelow, unfinishedRequestOn } from "./node-sockets.js";
import { classifyParserError, type ParserError, type ParserLimits } from "./parser-error.js";
import { createRefusal, isRefused, type Refuse } from "./refusal.js";
import type { ConnectionSettings } from "./connection-settings.js";
import { createConnectionLimits } from "./connection-limits.js";
import { createRequestLimits } from "./request-limits.js";
import type { ProtocolSettings } from "./protocol-options.js";

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

/** Servers that {@link admitOnly} was called with. */
const guarded = createRequestSlot<true>("protocolErrors");

/** Requests that were reported. */
const reported = createRequestSlot<true>("protocolErrors.reported");

/** Sockets whose TLS handshake failed. */
const insecure = createRequestSlot<true>("protocolErrors.insecure");

/** Whether {@link admitOnly} was called with `server` already. */
export function isGuarded(server: Server): boolean {
  return guarded.tryGet(server) === true;
}

/**
 * Make `server` pass only valid requests to the application, and refuse the others itself. With `settings.report` it passes
 * what a server of Node passes, and refuses what that refuses.
 *
 * @param hasAppPrototypes whether the server creates requests and responses with the prototypes of the application
 * @param limits of the connections and their requests
 */
export function admitOnly(
  server: Server,
  settings: ProtocolSettings,
  hasAppPrototypes = false,
  limits?: ConnectionSettings,
): void {
  guarded.set(server, true);
  if (hasAppPrototypes) appPrototypeServers.set(server, true);
  Object.assign(server, settings.timeouts);
  const refuse = createRefusal(settings);
  checkRequests(server, settings, { refuse, limits });
  if (settings.report) return;
  Object.assign(server, {
    requireHostHeader: false, // Node's own check responds without a body and without a log entry
    maxHeadersCount: 0, // Node would drop further lines silently, or not tell whose request it was; maxHeaderSize bounds them
  });
  handleExpectations(server, refuse);
  server.on("connect", (req: IncomingMessage) => {
    if (server.listenerCount("connect") === 1) refuse(req.socket, CONNECT_FAULT, req, false);
  });
  handleParserErrors(server, refuse);
}

interface RequestChecks {
  refuse: Refuse;
  limits: ConnectionSettings | undefined;
}

function checkRequests(server: Server, settings: ProtocolSettings, checks: Readonly<RequestChecks>): void {
  const { maxHeadersCount, refuseUpgrade, report } = settings;
  const { refuse, limits } = checks;
  const findExcess = limits && createRequestLimits(limits);
  const admitConnection = limits && createConnectionLimits(report ? { ...limits, writeTimeout: Infinity } : limits);
  const rules = { maxHeadersCount, acceptsUpgrade: () => !refuseUpgrade || server.listenerCount("upgrade") > 0 };

  // A listener could not prevent calls to the application's listeners, so `emit` is replaced.
  const emit = server.emit.bind(server) as (event: string | symbol, ...args: unknown[]) => boolean;
  server.emit = function emitAdmitted(event: string | symbol, ...args: unknown[]): boolean {
    if (REQUEST_EVENTS.has(event)) {
      if (!admits(event, args[0] as IncomingMessage, args[1])) return true;
    } else if (event === "connection" && admitConnection?.(args[0] as Socket) === false) {
      drop(args[0] as Socket);
      if (!report) return true;
    }
    return emit(event, ...args);
  };

  function admits(event: string | symbol, req: IncomingMessage, message: unknown): boolean {
    if (isRefused(req.socket)) return false;
    const isTunnel = event === "upgrade" || event === "connect";
    const hasAppPrototype = isTunnel && appPrototypeServers.tryGet(server) === true;
    if (hasAppPrototype) Object.setPrototypeOf(req, IncomingMessage.prototype); // the app never sees it
    const fault = findRequestFault(req, rules) ?? findExcess?.(req, report ? undefined : message);
    if (fault === undefined) return true;
    if (report) tellOnce(report, fault, req, message);
    else refuse(req.socket, fault, req, !isTunnel);
    return report !== undefined;
  }

  /** Node does the same for a connection over `server.maxConnections`. */
  function drop(socket: Socket): void {
    const { localAddress, localPort, localFamily, remoteAddress, remotePort, remoteFamily } = socket;
    if (!report) socket.destroy();
    emit("drop", { localAddress, localPort, localFamily, remoteAddress, remotePort, remoteFamily });
  }
}

/** A server may emit several events for a request. */
function tellOnce(
  report: TellReport<IncomingMessage>,
  fault: RequestFault,
  req: IncomingMessage,
  message: unknown,
): void {
  if (reported.has(req)) return;
  reported.set(req, true);
  report(apiError(...fault), req, message instanceof ServerResponse ? message : undefined);
}

function handleExpectations(server: Server, refuse: Refuse): void {
  for (const event of ["checkContinue", "checkExpectation"] as const) {
    server.on(event, (req: IncomingMessage, res: ServerResponse) => {
      if (server.listenerCount(event) > 1) return;
      const fault = findExpectFault(req.headers.expect ?? "");
      if (fault) {
        refuse(req.socket, fault, req, true);
      } else {
        invite(res);
        server.emit("request", req, res);
      }
    });
  }
}

/**
 * Send 100. A response that waits for an earlier one on its connection sends it when its turn comes, unless it has begun:
 * Node would write it between the header and the body.
 */
function invite(res: ServerResponse): void {
  if (res.socket !== null) {
    res.writeContinue();
    return;
  }
  res.once("socket", () => {
    if (!res.headersSent) res.writeContinue();
  });
}

function handleParserErrors(server: Server, refuse: Refuse): void {
  // an HTTPS server emits `clientError` for these too, from its own listener, which must run after this one
  server.prependListener("tlsClientError", (_error: Error, socket: Socket) => {
    insecure.set(socket, true);
  });
  server.on("clientError", (error: ParserError, socket: Socket) => {
    if (server.listenerCount("clientError") > 1) return;
    if (insecure.tryGet(socket)) {
      refuseHandshake(error, socket);
    } else {
      const req = unfinishedRequestOn(socket);
      refuse(socket, classifyParserError(error, limitsOf(server)), req, req !== undefined);
    }
  });

  /** TLS has reported the failure to the client itself, except to a client that does not use TLS. */
  function refuseHandshake({ code }: ParserError, socket: Socket): void {
    const tcpSocket = tcpSocketBelow(socket);
    if (tcpSocket && code === "ERR_SSL_HTTP_REQUEST") refuse(tcpSocket, PLAIN_HTTP_FAULT);
    else (tcpSocket ?? socket).destroy();
  }
}

function limitsOf(server: Server): ParserLimits {
  const { headersTimeout, requestTimeout } = server;
  const { maxHeaderSize = defaultMaxHeaderSize } = server as { maxHeaderSize?: number };
  return { headersTimeout, requestTimeout, maxHeaderSize };
}
