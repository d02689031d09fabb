import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

/**
 * Undocumented properties that Node sets on the sockets of a server, the same in Node 20 to 26. Only this file reads them.
 * Without them everything still works, with fewer features.
 */
interface NotedSocket extends Socket {
  /** The response that Node is writing. */
  readonly _httpMessage?: ServerResponse | null;
  /** Absent after an upgrade. */
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
  /** Where it was accepted. */
  readonly server?: object | null;
  /** The TCP socket below a TLS socket. */
  readonly _parent?: Socket | null;
  /** Counts the bytes that Node gave to it, and those of them that the kernel has not taken yet. */
  readonly _handle?: { readonly bytesWritten?: unknown; readonly writeQueueSize?: unknown } | null;
}

/** Whether {@link responseOn} works in this version of Node. */
export function notesResponses(): boolean {
  const socket = new Socket();
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  return responseOn(socket) === response;
}

/** The response that Node is writing to `socket`. */
export function responseOn(socket: Socket): ServerResponse | undefined {
  return (socket as NotedSocket)._httpMessage ?? undefined;
}

/** The request on `socket` whose body is not complete yet. */
export function unfinishedRequestOn(socket: Socket): IncomingMessage | undefined {
  const req = (socket as NotedSocket).parser?.incoming ?? responseOn(socket)?.req;
  return req?.complete === false ? req : undefined;
}

/** The server that accepted `socket`. */
export function serverOf(socket: Socket): object | undefined {
  return (socket as NotedSocket).server ?? undefined;
}

/** The TCP socket below a TLS socket. */
export function tcpSocketBelow(socket: Socket): Socket | undefined {
  return (socket as NotedSocket)._parent ?? undefined;
}

/** How many bytes wait for a client: of a TCP socket, or of a TLS socket with what waits below it. */
export function bytesWaitingFor(socket: Socket): number {
  const { writeQueueSize } = (socket as NotedSocket)._handle ?? {};
  return Math.max(socket.writableLength, typeof writeQueueSize === "number" ? writeQueueSize : 0);
}

/**
 * How many bytes the kernel has taken from a TCP socket, TLS or not, while others wait for it; `undefined` when none wait.
 * The kernel takes bytes as the client reads. Where Node counts differently, a chunk counts when it is taken as a whole, and
 * what waits below TLS is not seen.
 */
export function bytesTakenFrom(socket: Socket): number | undefined {
  const { bytesWritten, writeQueueSize } = (socket as NotedSocket)._handle ?? {};
  const isCounted = typeof bytesWritten === "number" && typeof writeQueueSize === "number";
  const waiting = isCounted ? writeQueueSize : socket.writableLength;
  if (waiting === 0) return undefined;
  return (isCounted ? bytesWritten : socket.bytesWritten) - waiting;
}
