import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request } from "express";
import {
  findBodyExcess,
  findBodyTextFault,
  findCharsetFault,
  findInParameters,
  jsonLimitsOptions,
  type TextFinding,
  typeOfTextFault,
} from "../lib/faults/index.js";
import { apiError, createGuard, type Refusal } from "../lib/errors/index.js";
import { REPORT_OPTIONS, reportOption, type ReportOptions } from "../lib/report/index.js";
import { fieldLines } from "../lib/http/index.js";
import {
  assertKnownOptions,
  booleanOption,
  fieldNameOption,
  maxBytesPerCharacterOption,
  type Middleware,
  type NothingElse,
  optionError,
  stringsOption,
} from "../lib/factory/index.js";
import {
  findEncodedTextFault,
  findTextFault,
  formatTextFault,
  isEncodedAscii,
  type TextFault,
} from "../lib/text/index.js";

/** The fields that the middlewares of this package read as text. */
const DEFAULT_HEADERS = ["User-Agent", "Accept-Language", "X-Device-Fingerprint", "If-Match", "If-None-Match"];

/** Node decodes a field value as latin1. */
const NON_ASCII_REGEXP = /[\x80-\xff]/;

const DEFAULT_RULES = { format: undefined, maxBytes: 3 } as const;

const FORMATS = ["json", "form", "text"] as const;

/** A function for the option `verify` of a body parser. It throws an `ApiError` for a body that it refuses. */
export type BodyVerifier = (req: IncomingMessage, res: ServerResponse, body: Buffer, encoding?: string | null) => void;

export interface Utf8GuardOptions extends ReportOptions {
  /**
   * Whether to check the percent-decoded path.
   *
   * @default true
   */
  path?: boolean;

  /**
   * Whether to check the percent-decoded query.
   *
   * @default true
   */
  query?: boolean;

  /**
   * The header fields to check: those that the application reads as text.
   *
   * @default ["User-Agent", "Accept-Language", "X-Device-Fingerprint", "If-Match", "If-None-Match"]
   */
  headers?: readonly string[];

  /**
   * How many bytes of UTF-8 a character may take: 3 refuses characters beyond U+FFFF such as emoji, 4 accepts them.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;
}

const OPTIONS: Record<keyof Utf8GuardOptions, true> = {
  path: true,
  query: true,
  headers: true,
  maxBytesPerCharacter: true,
  ...REPORT_OPTIONS,
};

export interface BodyVerifierOptions extends ReportOptions<IncomingMessage> {
  /**
   * The format of the body: `"json"` checks JSON escapes too, `"form"` percent-encoding too, `"text"` neither.
   *
   * @default "json", and also "form" when that is the `Content-Type`
   */
  format?: "json" | "form" | "text";

  /**
   * How many levels of arrays and objects JSON may have, 1–2,000.
   *
   * @default 1000
   */
  maxDepth?: number;

  /**
   * How many members of objects and elements of arrays JSON may have, counted together, 1–100,000,000.
   *
   * @default 50000
   */
  maxMembers?: number;

  /**
   * How many bytes of UTF-8 a character may take: 3 refuses characters beyond U+FFFF such as emoji, 4 accepts them.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;
}

const VERIFIER_OPTIONS: Record<keyof BodyVerifierOptions, true> = {
  format: true,
  maxDepth: true,
  maxMembers: true,
  maxBytesPerCharacter: true,
  ...REPORT_OPTIONS,
};

/**
 * Refuse a request whose path, query or headers are not UTF-8, or have a character of more than `maxBytesPerCharacter`
 * bytes. Does not check the body: {@link createBodyVerifier} does, inside the body parser.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 * @example
 * app.use(utf8Guard({ maxBytesPerCharacter: 4 })); // accepts emoji
 */
export function utf8Guard(options: Readonly<Utf8GuardOptions> = {}, ..._: NothingElse): Middleware {
  const { path, query, headers, maxBytes, report } = parseOptions(options);
  const marks = new Set(headers.map(markOf));

  return createGuard("utf8Guard", check, report);

  function check(req: Request): Refusal | undefined {
    const finding = find(req);
    if (finding === undefined) return undefined;
    const [place, fault] = finding;
    return ["E0009000", { type: typeOfTextFault(fault), causes: [formatTextFault(place, fault)] }];
  }

  function find({ originalUrl, rawHeaders }: Request): TextFinding | undefined {
    return (
      (isEncodedAscii(originalUrl) ? undefined : findInTarget(originalUrl)) ??
      (mayHaveFault(rawHeaders) ? findInHeaders(rawHeaders) : undefined)
    );
  }

  function findInTarget(target: string): TextFinding | undefined {
    const start = target.indexOf("?");
    const sentPath = start === -1 ? target : target.slice(0, start);
    const fault = path ? findEncodedTextFault(sentPath, maxBytes) : undefined;
    if (fault) return ["The path", fault];
    return query && start !== -1 ? findInParameters(target.slice(start + 1), "Query parameter", maxBytes) : undefined;
  }

  /** One pass over all fields, which knows only the mark of a name. */
  function mayHaveFault(rawHeaders: readonly string[]): boolean {
    for (let index = 1; index < rawHeaders.length; index += 2) {
      if (!marks.has(markOf(rawHeaders[index - 1] ?? ""))) continue;
      if (NON_ASCII_REGEXP.test(rawHeaders[index] ?? "")) return true;
    }
    return false;
  }

  function findLineFault(line: string): TextFault | undefined {
    return NON_ASCII_REGEXP.test(line) ? findTextFault(Buffer.from(line, "latin1"), maxBytes) : undefined;
  }

  function findInHeaders(rawHeaders: readonly string[]): TextFinding | undefined {
    for (const name of headers) {
      for (const line of fieldLines(rawHeaders, name)) {
        const fault = findLineFault(line);
        if (fault) return [name, fault];
      }
    }
    return undefined;
  }
}

/**
 * Create a `verify` function for a body parser. It refuses a body that is not UTF-8, that has a character of more than
 * `maxBytesPerCharacter` bytes (JSON escapes and the percent-encoding of a form included), or whose JSON is nested too
 * deep or has too many members. It gets the body after content decoding. Does not parse the body.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 * @example
 * app.use(express.json({ verify: createBodyVerifier() }));
 */
export function createBodyVerifier(options: Readonly<BodyVerifierOptions> = {}, ..._: NothingElse): BodyVerifier {
  const { rules, limits, report } = parseVerifierOptions(options);
  const { format } = rules;
  const isJson = format !== "form" && format !== "text";

  return function verifyBody(req, res, body, encoding) {
    const { "content-type": contentType = "" } = req.headers;
    const fault =
      findCharsetFault(contentType, encoding) ??
      findBodyTextFault(body, contentType, rules) ??
      (isJson ? findBodyExcess(body, limits) : undefined);
    if (!fault) return;
    const refusal = apiError(...fault);
    if (report === undefined) throw refusal;
    report(refusal, req, res);
  };
}

/**
 * The same check as {@link createBodyVerifier} with its defaults, but without limits on nesting and members.
 *
 * @throws {ApiError} when the body is refused
 * @example
 * app.use(express.json({ verify: verifyUtf8 }));
 */
export function verifyUtf8(req: IncomingMessage, _res: ServerResponse, body: Buffer, encoding?: string | null): void {
  const { "content-type": contentType = "" } = req.headers;
  const fault = findCharsetFault(contentType, encoding) ?? findBodyTextFault(body, contentType, DEFAULT_RULES);
  if (fault) throw apiError(...fault);
}

/** The length and the first letter of a name, which few names share. */
function markOf(name: string): number {
  return 32 * name.length + (name.charCodeAt(0) & 31);
}

function parseOptions(options: Readonly<Utf8GuardOptions>) {
  assertKnownOptions("utf8Guard", options, OPTIONS);
  const headers = stringsOption("utf8Guard", "headers", options.headers, DEFAULT_HEADERS);
  return {
    path: booleanOption("utf8Guard", "path", options.path, true),
    query: booleanOption("utf8Guard", "query", options.query, true),
    headers: headers.map((name) => fieldNameOption("utf8Guard", "headers", name, "")),
    maxBytes: maxBytesPerCharacterOption("utf8Guard", options.maxBytesPerCharacter),
    report: reportOption("utf8Guard", options),
  };
}

function parseVerifierOptions(options: Readonly<BodyVerifierOptions>) {
  assertKnownOptions("createBodyVerifier", options, VERIFIER_OPTIONS, "{ verify: createBodyVerifier() }");
  const { format } = options;
  if (format !== undefined && !FORMATS.includes(format)) {
    throw optionError("createBodyVerifier", "format", '"json", "form" or "text"');
  }
  const maxBytes = maxBytesPerCharacterOption("createBodyVerifier", options.maxBytesPerCharacter);
  return {
    rules: { format, maxBytes },
    limits: jsonLimitsOptions("createBodyVerifier", options),
    report: reportOption("createBodyVerifier", options),
  };
}
