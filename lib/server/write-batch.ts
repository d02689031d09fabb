import { Socket } from "node:net";
import { responseOn } from "./node-sockets.js";

/** In bytes, a character counting as one, head and body together: what is larger costs more than a wake-up. */
const MAX_LENGTH = 16_384;

/** So many answers wait for each other at the most. */
const MAX_WAITING = 64;

/** What is written together with others, as `stream.Writable` hands it on. */
interface Chunk {
  readonly chunk: string | Buffer;
  readonly encoding: BufferEncoding;
}

/**
 * A function that has the answers on the sockets given to it written together at the end of a turn of the event loop:
 * on a busy server that spares both sides a wake-up for each answer. Adaptive: an answer waits only when the turn
 * before had more than one.
 *
 * What is written is not touched, only when; a response that has ended has ended. No answer waits for another turn.
 */
export function createWriteBatch(): (socket: Socket) => void {
  const waiting = new Set<Socket>();
  let answers = 0; // in this turn
  let isBusy = false;

  return function batchWrites(socket) {
    // Node corks a socket while it writes an answer: to uncork it is to send
    socket.uncork = uncorkInBatch;
    socket.destroy = destroyAfterWrite;
    if (writesLikeSocket(socket)) socket._writev = writeFilled;
  };

  function uncorkInBatch(this: Socket): void {
    if (waiting.has(this)) return;
    if (sendsAnswer(this)) {
      if (answers === 0) setImmediate(endTurn);
      answers += 1;
      if (isBusy && this.writableLength <= MAX_LENGTH) {
        waiting.add(this);
        if (waiting.size === MAX_WAITING) writeAll();
        return;
      }
    }
    Socket.prototype.uncork.call(this);
  }

  /** Written at once an answer would be with the kernel by now, which delivers it. */
  function destroyAfterWrite(this: Socket, error?: Error): Socket {
    if (waiting.delete(this)) write(this);
    return Socket.prototype.destroy.call(this, error);
  }

  function endTurn(): void {
    isBusy = answers > 1;
    answers = 0;
    writeAll();
  }

  function writeAll(): void {
    for (const socket of waiting) {
      waiting.delete(socket);
      write(socket);
    }
  }
}

/** Whether to uncork `socket` now sends an answer, not a piece of a stream or what follows an upgrade. */
function sendsAnswer(socket: Socket): boolean {
  const { writableCorked, writableLength } = socket;
  return writableCorked === 1 && writableLength > 0 && responseOn(socket)?.chunkedEncoding === false;
}

/** Not other streams that a server was given, and not where Node writes one chunk at a time. */
function writesLikeSocket(socket: Socket): boolean {
  return socket._writev !== undefined && socket._writev === Socket.prototype._writev;
}

/** Node adds an empty chunk to the end of each answer; to gather two takes longer than to write one. */
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
