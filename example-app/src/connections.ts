import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { Server as TlsServer } from "node:tls";
import type { Logger } from "pino";

/** How long a connection without a request in flight may still send one. */
const SILENCE_MS = 500;

/** How often idle connections are closed. */
const SWEEP_MS = 50;

/** The program log has at most one line about dropped connections in this time. */
const REPORT_MS = 1_000;

/** The connections of a server. They allow it to close without cutting off responses. */
export interface Connections {
  /** How many are open. */
  readonly count: number;
  /**
   * Accept no new connections and wait for the requests in flight. Connections that have sent no whole request header
   * are closed after half a second. Idle connections are closed at once, or after those. All that are left are closed
   * after `deadline` milliseconds.
   */
  drain(deadline: number): Promise<void>;
}

/** Watch the connections of `server`. Call it before the server listens. */
export function trackConnections(server: Server): Connections {
  const sockets = new Set<Socket>(); // with TLS the sockets below it, which exist before the handshake
  const unused = new Set<Socket>(); // sockets that may bring a request and have brought none
  const responses = new Set<ServerResponse>();
  let draining = false;

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", (req: IncomingMessage, res: ServerResponse) => {
    unused.delete(req.socket);
    responses.add(res);
    res.on("close", () => responses.delete(res));
    if (draining) announceClose(res);
  });

  return {
    get count() {
      return sockets.size;
    },
    async drain(deadline) {
      draining = true;
      // `close()` of HTTP servers also closes idle connections, on Node 26 including those in `unused`
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      for (const res of responses) announceClose(res);
      closeIdle();
      const timers = [
        setInterval(closeIdle, SWEEP_MS), // connections whose response promised to keep them open
        setTimeout(closeSilent, SILENCE_MS),
        setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, deadline),
      ];
      await closed;
      for (const timer of timers) clearTimeout(timer);
      server.close(); // its interval, which looks for late requests, would keep the whole server in memory
    },
  };

  function closeIdle(): void {
    if (unused.size === 0) server.closeIdleConnections();
  }

  function closeSilent(): void {
    const busy = new Set(Array.from(responses, ({ req }) => peerOf(req.socket)));
    for (const socket of sockets) {
      if (!busy.has(peerOf(socket))) socket.destroy();
    }
  }
}

/** Report connections over a limit in the program log. */
export function reportDroppedConnections(server: Server, log: Pick<Logger, "warn">): void {
  let dropped = 0;
  server.on("drop", (peer?: Readonly<{ remoteAddress?: string }>) => {
    dropped++;
    if (dropped > 1) return;
    setTimeout(() => {
      log.warn({ dropped, clientIp: peer?.remoteAddress }, "connections dropped: there are too many");
      dropped = 0;
    }, REPORT_MS).unref();
  });
}

/** The same text for a TLS socket and the socket below it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ""} ${remotePort ?? ""}`;
}

function announceClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}
