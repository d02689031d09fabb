import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long a connection on which no request is in flight may still bring one. */
const SILENCE_MS = 500;

/** How often connections that have become idle are closed. */
const SWEEP_MS = 50;

/** The connections of a server, so that it can be closed without cutting off an answer. */
export interface Connections {
  /**
   * Take no new connections and wait for the requests in flight. Idle connections are closed at once, those that have
   * brought no whole request header after half a second, all that are left after `deadline` milliseconds.
   */
  drain(deadline: number): Promise<void>;
}

/** Watch the connections of `server`, from before it listens. */
export function trackConnections(server: Server): Connections {
  const sockets = new Set<Socket>(); // with TLS those below it, which are there before the handshake
  const responses = new Set<ServerResponse>();
  let draining = false;

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("request", (_req: IncomingMessage, res: ServerResponse) => {
    responses.add(res);
    res.on("close", () => responses.delete(res));
    if (draining) announceClose(res);
  });

  return {
    async drain(deadline) {
      draining = true;
      const closed = new Promise((resolve) => server.close(resolve));
      for (const res of responses) announceClose(res);
      const timers = [
        setInterval(() => {
          server.closeIdleConnections(); // those whose answer had promised to keep them
        }, SWEEP_MS),
        setTimeout(closeSilent, SILENCE_MS),
        setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, deadline),
      ];
      await closed;
      for (const timer of timers) clearTimeout(timer);
    },
  };

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
