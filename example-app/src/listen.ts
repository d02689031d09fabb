import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The reason why the server can't listen: one line for the person who started it. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** Where to listen, and the flags that say so. */
export interface Place {
  readonly host: string;
  readonly port: number;
  /** @default "--host" */
  readonly hostFlag?: string;
  /** @default "--port" */
  readonly portFlag?: string;
}

/**
 * Listen, and wait until it is so.
 *
 * @returns the port, which the system chooses for port 0
 * @throws {ListenError} when the place can't be had
 */
export async function listen(server: Server, place: Place): Promise<number> {
  const { host, port } = place;
  server.listen({ host, port });
  try {
    await once(server, "listening");
  } catch (error) {
    throw new ListenError(describeListenError(error as NodeJS.ErrnoException, place));
  }
  return (server.address() as AddressInfo).port;
}

/** What is wrong with the place, and what to do. */
function describeListenError(
  { code, message }: NodeJS.ErrnoException,
  { host, port, hostFlag = "--host", portFlag = "--port" }: Place,
): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is in use: stop what listens there or choose another with ${portFlag}`;
    case "EACCES":
      return `Port ${port} on ${host} may not be listened on by this user: choose one above 1023 with ${portFlag}`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine: choose another with ${hostFlag}`;
    default:
      return `Can't listen on ${host}, port ${port}: ${message}`;
  }
}
