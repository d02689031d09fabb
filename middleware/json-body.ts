import type { NextFunction, Request, Response } from "express";
import {
  bigIntegerOption,
  compileBodyReader,
  findRoundedInteger,
  jsonLimitsOptions,
  parseJsonBody,
} from "../lib/faults/index.js";
import { apiError } from "../lib/errors/index.js";
import { parseCopy, REPORT_OPTIONS, reportErrors, reportOption, type ReportOptions } from "../lib/report/index.js";
import { nameRoute } from "../lib/express/index.js";
import { mediaTypesOption } from "../lib/http/index.js";
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
export function jsonBody(options: Readonly<JsonBodyOptions> = {}, ..._: NothingElse): Middleware {
  const { rules, report, ...readerOptions } = parseOptions(options);
  const isWatching = rules.bigint === undefined && isDevelopment();
  const readBody = compileBodyReader({ factory: "jsonBody", ...readerOptions }, parse, report && parseCopy);
  return reportErrors(jsonBodyMiddleware, report);

  function jsonBodyMiddleware(req: Request, _res: Response, next: NextFunction): void {
    readBody(req, next);
  }

  function parse(req: Request, bytes: Buffer, next: NextFunction): void {
    if (bytes.length === 0) {
      next(); // a POST without a body (rule V2), whatever its Content-Type
      return;
    }
    const { value, fault } = parseJsonBody(bytes, rules);
    if (fault) {
      next(apiError(...fault));
    } else {
      if (isWatching) warnOfRounding(req, bytes);
      req.body = value;
      next();
    }
  }
}

/** The route is known when the response is over. */
function warnOfRounding(req: Request, bytes: Buffer): void {
  const place = findRoundedInteger(bytes);
  if (place === undefined) return;
  req.res?.once("close", () => {
    warn(
      "bigint",
      `jsonBody: ${nameRoute(req)} got an integer that a number can't hold${place && `, at ${place}`}; it was rounded. Take it as it is with jsonBody({ bigint: "string" }), or refuse it with "refuse".`,
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
