import { AsyncResource } from "node:async_hooks";
import type { NextFunction, Request, Response } from "express";
import {
  ABORTED,
  bigIntegerOption,
  type BodyFault,
  findCharsetFault,
  findCodingFault,
  findLengthFault,
  findRoundedInteger,
  findSizeFault,
  hasBody,
  isBodyRead,
  jsonLimitsOptions,
  parseJsonBody,
  refuseSize,
  UNDECODABLE,
} from "../lib/faults/index.js";
import { apiError } from "../lib/errors/index.js";
import { parseCopy, REPORT_OPTIONS, reportErrors, reportOption, type ReportOptions } from "../lib/report/index.js";
import { excerpt, memoize } from "../lib/text/index.js";
import { routePatternOf } from "../lib/express/index.js";
import { type Decode, DECODERS, mediaTypesOption, parseMediaType } from "../lib/http/index.js";
import {
  assertKnownOptions,
  booleanOption,
  createWarning,
  integerOption,
  isDevelopment,
  maxBytesPerCharacterOption,
  type Middleware,
  type NothingElse,
  optionError,
} from "../lib/factory/index.js";

/** The default of `express.json()`. */
const DEFAULT_LIMIT = 102_400;

/** `JSON.parse` of a larger body would block all other requests for seconds. */
const HIGHEST_LIMIT = 104_857_600;

/** A client may send each byte as a chunk, which takes hundreds of bytes until it is joined with others. */
const MAX_CHUNKS = 1_024;
const NO_BYTES = Buffer.alloc(0);

/** A process sees one warning. */
const warn = createWarning(1);

export interface JsonBodyOptions extends ReportOptions {
  /**
   * The most bytes of a body, both as sent and after decoding, 1–104,857,600.
   *
   * @default 102400
   */
  limit?: number;

  /**
   * Media types of the bodies to parse: `type/subtype` in lower case, no wildcards, not `multipart`. Bodies of other types
   * are left for other parsers.
   *
   * @default ["application/json"]
   */
  consumes?: readonly string[];

  /**
   * How many bytes of UTF-8 a character may take: 3 refuses characters beyond U+FFFF such as emoji, 4 accepts them.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;

  /**
   * How many levels of arrays and objects a body may have, 1–2,000.
   *
   * @default 1000
   */
  maxDepth?: number;

  /**
   * How many members of objects and elements of arrays a body may have, counted together, 1–100,000,000.
   *
   * @default 50000
   */
  maxMembers?: number;

  /**
   * Whether a body must be an object or an array. `false` takes any JSON value (RFC 8259 section 2), so `req.body` may be a
   * string, a number, a boolean or `null`.
   *
   * @default true
   */
  strict?: boolean;

  /**
   * What becomes of an integer beyond ±9,007,199,254,740,991 (2^53−1), which a number can't hold exactly: its digits as a
   * string, a `bigint`, or 400 `E0000001`. A number with a fraction or an exponent stays a number. With `"string"` and
   * `"bigint"`, an integer of more than 1,000 digits is 400.
   *
   * @default it is rounded; in development the first one is told to `console.warn`
   */
  bigint?: "string" | "bigint" | "refuse";

  /**
   * Whether a body may be compressed: `gzip`, `deflate`, `br`.
   *
   * @default true
   */
  inflate?: boolean;
}

const OPTIONS: Record<keyof JsonBodyOptions, true> = {
  limit: true,
  consumes: true,
  maxBytesPerCharacter: true,
  maxDepth: true,
  maxMembers: true,
  strict: true,
  bigint: true,
  inflate: true,
  ...REPORT_OPTIONS,
};

/**
 * Parse a JSON body in UTF-8 into `req.body`: an object or an array, with `strict: false` any value. Characters beyond
 * U+FFFF, such as emoji, are refused unless `maxBytesPerCharacter` is 4. A request without a body, with a body of another
 * type, or with a body that was read before, passes unchanged.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 * @example
 * app.use(jsonBody({ limit: 1_048_576, consumes: ["application/json", ...PATCH_TYPES] }));
 */
// eslint-disable-next-line max-lines-per-function -- the steps of reading a body, each short, share its options
export function jsonBody(options: Readonly<JsonBodyOptions> = {}, ..._: NothingElse): Middleware {
  const { limit, consumes, rules, inflate, report } = parseOptions(options);
  const isWatching = rules.bigint === undefined && isDevelopment();
  const examineType = memoize((value) => ({
    isParsed: consumes.includes(parseMediaType(value)?.type ?? ""),
    fault: findCharsetFault(value),
  }));
  const start = report ? parseCopy(limit, take) : startReading;
  return reportErrors(jsonBodyMiddleware, report);

  function jsonBodyMiddleware(req: Request, _res: Response, next: NextFunction): void {
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
  }

  function startReading(req: Request, next: NextFunction, decode: Decode | undefined): void {
    if (req.complete || req.readableFlowing !== null) read(req, next, decode);
    else setImmediate(read, req, next, decode); // after the parser has read all that arrived: most bodies arrive with their header
  }

  /** A body that has arrived completely is read at once, which needs no listeners and keeps the asynchronous context. */
  function read(req: Request, next: NextFunction, decode: Decode | undefined): void {
    if (req.readableEncoding !== null) {
      next(
        new Error("jsonBody: mount it before the code that calls req.setEncoding(), which hides the bytes of the body"),
      );
    } else if (req.complete && req.readableFlowing === null && req.httpVersionMajor === 1 && !req.destroyed) {
      const bytes = readBuffered(req);
      process.nextTick(take, req, bytes, next, decode); // the stream has ended by then, which other parsers expect
    } else {
      collect(req, next, decode);
    }
  }

  function collect(req: Request, next: NextFunction, decode: Decode | undefined): void {
    const scope = new AsyncResource("JsonBody"); // listeners run in the context of the connection
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

  function parse(req: Request, bytes: Buffer, next: NextFunction): void {
    if (bytes.length === 0) {
      next(); // a POST without a body (rule V2), whatever its Content-Type
      return;
    }
    const { value, fault } = parseJsonBody(bytes, rules);
    if (fault) {
      refuse(fault, next);
    } else {
      if (isWatching) warnOfRounding(req, bytes);
      req.body = value;
      next();
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

/** The route is known when the response is over. */
function warnOfRounding(req: Request, bytes: Buffer): void {
  const place = findRoundedInteger(bytes);
  if (place === undefined) return;
  req.res?.once("close", () => {
    const route = routePatternOf(req) ?? excerpt(req.path);
    warn(
      "bigint",
      `jsonBody: ${req.method} ${route} got an integer that a number can't hold${place && `, at ${place}`}; it was rounded. Take it as it is with jsonBody({ bigint: "string" }), or refuse it with "refuse".`,
    );
  });
}

function parseOptions(options: Readonly<JsonBodyOptions>) {
  assertKnownOptions("jsonBody", options, OPTIONS);
  return {
    limit: integerOption("jsonBody", "limit", options.limit, { fallback: DEFAULT_LIMIT, min: 1, max: HIGHEST_LIMIT }),
    consumes: consumesOption(options.consumes),
    rules: {
      limits: jsonLimitsOptions("jsonBody", options),
      maxBytes: maxBytesPerCharacterOption("jsonBody", options.maxBytesPerCharacter),
      strict: booleanOption("jsonBody", "strict", options.strict, true),
      bigint: bigIntegerOption("jsonBody", options.bigint),
    },
    inflate: booleanOption("jsonBody", "inflate", options.inflate, true),
    report: reportOption("jsonBody", options),
  };
}

function consumesOption(value: unknown): readonly string[] {
  const types = mediaTypesOption("jsonBody", "consumes", value, ["application/json"]);
  const multipart = types.find((type) => type.startsWith("multipart/"));
  if (multipart === undefined) return types;
  throw optionError(
    "jsonBody",
    "consumes",
    `without ${multipart}: those bodies are not JSON and pass to another parser`,
  );
}
