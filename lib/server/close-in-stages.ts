import type { Socket } from "node:net";

/**
 * How long to read a connection after the response (RFC 9112 section 9.6). If it were closed with unread bytes, TCP would
 * reset it, and the client could lose the response.
 */
const LINGER_MS = 2_000;

/** Detach the parser from the socket, and discard whatever arrives. */
export function discardInput(socket: Socket): void {
  if (socket.destroyed) return; // there Node keeps its own listeners, and each `resume` below would be answered by a `pause`, for ever
  socket.removeAllListeners("data");
  socket.on("data", () => undefined); // adding a listener makes Node detach its parser
  socket.on("error", () => undefined); // a reset by the peer closes the socket; nothing else is to do
  if (socket.readableEnded) socket.end();
  else socket.once("end", () => socket.end());
  socket.on("pause", () => socket.resume()); // paused by a request body that nobody reads
  socket.resume();
}

/** Send `response` and half-close, then close when the peer has closed too, or after 2 s (RFC 9112 section 9.6). */
export function closeInStages(socket: Socket, response: string): void {
  socket.end(response);
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => {
    clearTimeout(deadline);
  });
}
