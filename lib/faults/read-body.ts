import { AsyncResource } from "node:async_hooks";
import type { NextFunction, Request } from "express";
import { apiError } from "../errors/index.js";
import { type Decode, DECODERS, parseMediaType } from "../http/index.js";
import { memoize } from "../text/index.js";
import { hasBody, isBodyRead } from "./body-framing.js";
import { findCharsetFault } from "./body-text.js";
import { ABORTED, findCodingFault, findLengthFault, findSizeFault, refuseSize, UNDECODABLE } from "./body-transfer.js";
import type { BodyFault } from "./json-body.js";

/** A client may send each byte as a chunk, which takes hundreds of bytes until it is joined with others. */
const MAX_CHUNKS = 1_024;
const NO_BYTES = Buffer.alloc(0);

/** Which bodies are read. */
export interface BodyReaderOptions {
  readonly factory: string;
  /** The most bytes, both as sent and after decoding. */
  readonly limit: number;
  /** Media types in lower case. */
  readonly consumes: readonly string[];
  /** Whether a body may be compressed. */
  readonly inflate: boolean;
}

/** Gets all bytes of a body, decoded, and calls `next`. */
export type ParseBody = (req: Request, bytes: Buffer, next: NextFunction) => void;

type Take = (req: Request, bytes: Buffer, next: NextFunction, decode: Decode | undefined) => void;

/**
 * Make a function that reads a body for `parse`. A request without a body, with a body of another type, or with a body that
 * was read before, passes unchanged.
 *
 * @param copy takes the bytes without reading the stream, for `report`
 */
// eslint-disable-next-line max-lines-per-function -- the steps of reading a body, each short, share its options
export function compileBodyReader(
  { factory, limit, consumes, inflate }: BodyReaderOptions,
  parse: ParseBody,
  copy?: (limit: number, take: Take) => (req: Request, next: NextFunction, decode: Decode | undefined) => void,
): (req: Request, next: NextFunction) => void {
  const examineType = memoize((value) => ({
    isParsed: consumes.includes(parseMediaType(value)?.type ?? ""),
    fault: findCharsetFault(value),
  }));
  const start = copy?.(limit, take) ?? startReading;

  return function readBody(req, next) {
    const { headers } = req;
    const { "content-type": sent, "content-encoding": coding = "identity" } = headers;
    const type = sent === undefined ? undefined : examineType(sent);
    if (!type?.isParsed || !hasBody(req, headers) || isBodyRead(req)) {
      next();
      return;
    }
    const decode = coding === "identity" ? undefined : DECODERS.get(coding.toLowerCase());
    const fault =
      type.fault ?? findCodingFault(coding, decode !== undefined, inflate) ?? findLengthFault(headers, limit);
    if (fault) refuse(fault, next);
    else start(req, next, decode);
  };

  function startReading(req: Request, next: NextFunction, decode: Decode | undefined): void {
    if (req.complete || req.readableFlowing !== null) read(req, next, decode);
    // after the parser has read all that arrived: most bodies arrive with their header
    // eslint-disable-next-line house/restricted-syntax -- it waits for no time
    else setImmediate(read, req, next, decode);
  }

  /** A body that has arrived completely is read at once, which needs no listeners and keeps the asynchronous context. */
  function read(req: Request, next: NextFunction, decode: Decode | undefined): void {
    if (req.readableEncoding !== null) {
      next(
        new Error(
          `${factory}: mount it before the code that calls req.setEncoding(), which hides the bytes of the body`,
        ),
      );
    } else if (req.complete && req.readableFlowing === null && req.httpVersionMajor === 1 && !req.destroyed) {
      const bytes = readBuffered(req);
      process.nextTick(take, req, bytes, next, decode); // the stream has ended by then, which other parsers expect
    } else {
      collect(req, next, decode);
    }
  }

  function collect(req: Request, next: NextFunction, decode: Decode | undefined): void {
    const scope = new AsyncResource("BodyReader"); // listeners run in the context of the connection
    const chunks: Buffer[] = [];
    let [received, joined] = [0, 0]; // bytes; and how many of the chunks are joined ones
    if (req.destroyed) {
      refuse(ABORTED, next);
      return;
    }
    req.on("data", onData).on("end", onEnd).on("error", onAbort).on("close", onAbort);
    req.resume(); // other code may have paused it

    function onData(chunk: Buffer): void {
      received += chunk.length;
      if (received > limit) stop(refuse, refuseSize("The body is longer", limit), next);
      else if (chunks.push(chunk) - joined === MAX_CHUNKS) joined = chunks.push(Buffer.concat(chunks.splice(joined)));
    }

    function onEnd(): void {
      const [first = NO_BYTES] = chunks;
      stop(take, req, chunks.length > 1 ? Buffer.concat(chunks, received) : first, next, decode);
    }

    function onAbort(): void {
      stop(refuse, ABORTED, next);
    }

    function stop<Args extends unknown[]>(then: (...args: Args) => void, ...args: Args): void {
      req.off("data", onData).off("end", onEnd).off("error", onAbort).off("close", onAbort);
      scope.runInAsyncScope(then, undefined, ...args);
    }
  }

  function take(req: Request, bytes: Buffer, next: NextFunction, decode: Decode | undefined): void {
    (req as { _body?: boolean })._body = true; // body parsers use this property to tell each other that the body has been read
    const fault = findSizeFault(req.headers, bytes.length, limit);
    if (fault) {
      refuse(fault, next);
    } else if (decode === undefined || bytes.length === 0) {
      parse(req, bytes, next);
    } else {
      decode(bytes, { maxOutputLength: limit }, (error, decoded) => {
        if (error === null) parse(req, decoded, next);
        else if (error.code !== "ERR_BUFFER_TOO_LARGE") refuse(UNDECODABLE, next);
        else refuse(refuseSize("Decoded, the body is longer", limit), next);
      });
    }
  }
}

/** All bytes that have arrived. Up to Node 24 `read()` returns them all, from Node 26 on only one chunk. */
function readBuffered(req: Request): Buffer {
  const first = (req.read() as Buffer | null) ?? NO_BYTES;
  if (req.readableLength === 0) return first;
  const chunks = [first];
  for (let chunk; (chunk = req.read() as Buffer | null) !== null;) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function refuse(fault: BodyFault, next: NextFunction): void {
  next(apiError(...fault));
}
