import { Socket } from "node:net";
import { responseOn } from "./node-sockets.js";

/** In bytes, head and body together; a character counts as one. A larger response costs more than a wake-up. */
const MAX_LENGTH = 16_384;

/** The most responses that wait for each other. */
const MAX_WAITING = 64;

/** A turn with fewer responses saves too few wake-ups for what waiting costs. */
const MIN_RESPONSES = 3;

/** One of the chunks that `stream.Writable` passes to `_writev`. */
interface Chunk {
  readonly chunk: string | Buffer;
  readonly encoding: BufferEncoding;
}

/**
 * Create a function that makes a socket write its response at the end of the turn of the event loop, together with the
 * responses on other such sockets. On a busy server this saves both sides a wake-up for each response. It adapts: a
 * response waits only when the turn before had three or more.
 *
 * The bytes stay the same, only the time of writing changes. No response waits for another turn.
 */
export function createWriteBatch(): (socket: Socket) => void {
  const waiting = new Set<Socket>();
  let responses = 0; // in this turn
  let isBusy = false;

  return function batchWrites(socket) {
    // Node corks a socket while it writes a response, and uncorks it to send
    socket.uncork = uncorkInBatch;
    socket.destroy = destroyAfterWrite;
    if (writesLikeSocket(socket)) socket._writev = writeFilled;
  };

  function uncorkInBatch(this: Socket): void {
    if (waiting.has(this)) return;
    if (sendsResponse(this)) {
      if (responses === 0) setImmediate(endTurn);
      responses += 1;
      if (isBusy && this.writableLength <= MAX_LENGTH) {
        waiting.add(this);
        if (waiting.size === MAX_WAITING) writeAll();
        return;
      }
    }
    Socket.prototype.uncork.call(this);
  }

  /** Without the batch, the kernel would have the response by now and would still deliver it. */
  function destroyAfterWrite(this: Socket, error?: Error): Socket {
    if (waiting.delete(this)) write(this);
    return Socket.prototype.destroy.call(this, error);
  }

  function endTurn(): void {
    isBusy = responses >= MIN_RESPONSES;
    responses = 0;
    writeAll();
  }

  function writeAll(): void {
    for (const socket of waiting) {
      waiting.delete(socket);
      write(socket);
    }
  }
}

/** Whether uncorking `socket` sends a response, not a piece of a stream or data after an upgrade. */
function sendsResponse(socket: Socket): boolean {
  const { writableCorked, writableLength } = socket;
  return writableCorked === 1 && writableLength > 0 && responseOn(socket)?.chunkedEncoding === false;
}

/** False for other streams that were passed to the server, and where Node writes one chunk at a time. */
function writesLikeSocket(socket: Socket): boolean {
  return socket._writev !== undefined && socket._writev === Socket.prototype._writev;
}

/** Node adds an empty chunk to the end of each response; writing the first chunk alone is faster than gathering both. */
function writeFilled(this: Socket, chunks: Chunk[], callback: (error?: Error | null) => void): void {
  const [first, second] = chunks;
  if (chunks.length === 2 && first && second?.chunk.length === 0) {
    this._write(first.chunk, first.encoding, callback);
  } else {
    Socket.prototype._writev?.call(this, chunks, callback);
  }
}

function write(socket: Socket): void {
  while (socket.writableCorked > 0) Socket.prototype.uncork.call(socket);
}
