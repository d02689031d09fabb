import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

/**
 * What Node notes on the sockets of a server. It is not documented, and the same in Node 20 to 26. Only this file reads
 * it, and everything works, if with less, where it is missing.
 */
interface NotedSocket extends Socket {
  /** The response that is being written. */
  readonly _httpMessage?: ServerResponse | null;
  /** Gone after an upgrade. */
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
  /** Where it was accepted. */
  readonly server?: object | null;
  /** Of a TLS socket, the TCP socket below. */
  readonly _parent?: Socket | null;
}

/** Whether this Node notes the response that is being written, so that {@link responseOn} can be relied on. */
export function notesResponses(): boolean {
  const socket = new Socket();
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  return responseOn(socket) === response;
}

/** The response that is being written to `socket`. */
export function responseOn(socket: Socket): ServerResponse | undefined {
  return (socket as NotedSocket)._httpMessage ?? undefined;
}

/** The request on `socket` whose body has not arrived whole. */
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
