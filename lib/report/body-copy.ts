import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage } from "node:http";

/** Further chunks must have a kilobyte on average: each takes some hundred bytes, and a client may send a byte as a chunk. */
const MAX_SMALL_CHUNKS = 1_024;
const CHUNK_SIZE = 1_024;

/** What Node keeps in a stream and does not document: what arrived and was not read, a list or an array. */
interface Buffering {
  readonly _readableState?: { readonly buffer?: Iterable<unknown> };
}

/**
 * Copy the body of `req`, and leave it in the stream for the code that reads it later: nothing is read from the stream, and
 * it gets no listener that reads. `done` gets the bytes when the body has arrived, or more than `limit` of them as soon as
 * there are more. It gets `undefined` when the connection ends before, when other code reads the body already, and when the
 * body comes in too many small chunks. Up to `limit` bytes wait in memory.
 */
export function copyBody(req: IncomingMessage, limit: number, done: (bytes: Buffer | undefined) => void): void {
  const chunks = peek(req);
  if (chunks === undefined) {
    done(undefined);
    return;
  }
  let received = req.readableLength;
  if (req.complete || received > limit) {
    done(Buffer.concat(chunks, received));
    return;
  }

  const scope = new AsyncResource("BodyCopy"); // chunks come in the context of the connection
  const push = req.push.bind(req);
  req.push = function pushCopied(chunk: Buffer | null, encoding) {
    const isHungry = push(chunk, encoding);
    if (chunk !== null) {
      chunks.push(chunk);
      received += chunk.length;
      if (chunks.length > MAX_SMALL_CHUNKS + received / CHUNK_SIZE) {
        finish(undefined);
        return isHungry;
      }
      if (received <= limit) return true; // where nobody reads yet, the socket would stop
    }
    finish(Buffer.concat(chunks, received));
    return isHungry;
  };
  req.on("close", onClose);
  if (req.socket.isPaused()) req.socket.resume(); // it stopped because nobody read

  function onClose(): void {
    finish(undefined);
  }

  function finish(bytes: Buffer | undefined): void {
    Reflect.deleteProperty(req, "push");
    req.off("close", onClose);
    process.nextTick(() => {
      scope.runInAsyncScope(done, undefined, bytes); // not inside Node's parser
    });
  }
}

/** What has arrived. `undefined` when something of it was read, or this version of Node keeps it elsewhere. */
function peek(req: IncomingMessage & Buffering): Buffer[] | undefined {
  if (req.readableFlowing !== null || req.readableDidRead || req.readableEncoding !== null || req.destroyed) {
    return undefined;
  }
  const chunks = [...(req._readableState?.buffer ?? [])].filter((chunk) => Buffer.isBuffer(chunk));
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  return size === req.readableLength ? chunks : undefined;
}
