import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

/** How long a connection on which no request is in flight may still bring one. */
const SILENCE_MS = 500;

/** How often connections that have become idle are closed. */
const SWEEP_MS = 50;

/** The connections of a server, so that it can be closed without cutting off an answer. */
export interface Connections {
  /**
   * Take no new connections and wait for the requests in flight. Connections that have brought no whole request header
   * are closed after half a second, idle ones at once or after those, all that are left after `deadline` milliseconds.
   */
  drain(deadline: number): Promise<void>;
}

/** Watch the connections of `server`, from before it listens. */
export function trackConnections(server: Server): Connections {
  const sockets = new Set<Socket>(); // with TLS those below it, which are there before the handshake
  const unused = new Set<Socket>(); // those on which a request can come and none has
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
    async drain(deadline) {
      draining = true;
      // `close()` of HTTP servers closes idle connections, too, and on Node 26 so those of `unused`
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      for (const res of responses) announceClose(res);
      closeIdle();
      const timers = [
        setInterval(closeIdle, SWEEP_MS), // those whose answer had promised to keep them
        setTimeout(closeSilent, SILENCE_MS),
        setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, deadline),
      ];
      await closed;
      for (const timer of timers) clearTimeout(timer);
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

/** The same for a TLS socket and the one below it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ""} ${remotePort ?? ""}`;
}

function announceClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}
