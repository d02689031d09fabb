import type { Socket } from "node:net";
import { bytesTakenFrom, bytesWaitingFor } from "./node-sockets.js";

/** The longest interval between two looks at the connections, in milliseconds. */
const MAX_INTERVAL = 5_000;

/** A client that leaves so many bytes unread gets only a part of the time, because they take memory from others. */
const LARGE_BYTES = 1_048_576;
const LARGE_PART = 1 / 4;

/** After a busy turn, a look comes before the event loop has seen what the client took. The next look sees it. */
const MIN_LOOKS = 2;

/** How far a client had read at the last looks. */
interface Progress {
  taken: number | undefined;
  /** How many looks found it at the same place. */
  looks: number;
}

/**
 * Create a function that watches a connection until it closes. It destroys the connection when for `timeout` milliseconds
 * the client takes no byte although bytes wait for it, or for a quarter of that when a mebibyte waits. One timer looks at all
 * connections, so a response costs nothing. Time in which the event loop stands still doesn't count.
 */
export function createWriteTimeout(timeout: number): (socket: Socket) => void {
  const interval = Math.min(MAX_INTERVAL, Math.ceil(timeout / 8));
  const maxLooks = Math.ceil(timeout / interval);
  const maxLooksOfLarge = Math.max(MIN_LOOKS, Math.ceil(maxLooks * LARGE_PART));
  const watched = new Map<Socket, Progress>();
  let timer: NodeJS.Timeout | undefined;

  return function watch(socket) {
    watched.set(socket, { taken: undefined, looks: 0 });
    socket.once("close", () => watched.delete(socket));
    timer ??= setInterval(look, interval).unref();
  };

  function look(): void {
    if (watched.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    for (const [socket, progress] of watched) {
      const taken = bytesTakenFrom(socket);
      if (taken === undefined || taken !== progress.taken) {
        progress.taken = taken;
        progress.looks = 0;
      } else if (++progress.looks >= (bytesWaitingFor(socket) >= LARGE_BYTES ? maxLooksOfLarge : maxLooks)) {
        socket.destroy();
      }
    }
  }
}
