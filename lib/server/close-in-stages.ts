import type { Socket } from "node:net";

/**
 * How long a connection is read after the answer (RFC 9112 section 9.6): closed with bytes still unread, TCP would
 * reset it, and the client lose the answer.
 */
const LINGER_MS = 2_000;

/** Take the socket from the parser: what still comes is read and thrown away. */
export function discardInput(socket: Socket): void {
  socket.removeAllListeners("data");
  socket.on("data", () => undefined); // first of all this has Node detach its parser
  socket.on("error", () => undefined); // a reset by the peer closes the socket, no more
  if (socket.readableEnded) socket.end();
  else socket.once("end", () => socket.end());
  socket.on("pause", () => socket.resume()); // by a body that is read no more
  socket.resume();
}

/** Half-close after `answer`, then close when the peer has closed too, or after a while (RFC 9112 section 9.6). */
export function closeInStages(socket: Socket, answer: string): void {
  socket.end(answer);
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => {
    clearTimeout(deadline);
  });
}
