import type { IncomingMessage, ServerResponse } from "node:http";
import createError from "http-errors";
import type { Request, RequestHandler } from "express";
import { clientError, type ErrorCode, type ErrorFacts } from "../lib/error-catalogue.js";
import { excerpt } from "../lib/excerpt.js";
import { fieldLines } from "../lib/field-lines.js";
import { findExcessDepth, findJsonTextFault, formatPlace, locatePointer } from "../lib/json-text.js";
import { parseMediaType } from "../lib/media-type.js";
import { memoize } from "../lib/memoize.js";
import {
  assertKnownOptions,
  booleanOption,
  fieldNameOption,
  integerOption,
  optionError,
  stringsOption,
} from "../lib/options.js";
import { queryOf } from "../lib/query-string.js";
import { findEncodedTextFault, findTextFault, formatTextFault, type TextFault } from "../lib/utf8.js";

/** What `requestContext` hands on as it came; other fields that it reads are lists of tokens. */
const DEFAULT_HEADERS = ["User-Agent", "X-Device-Fingerprint"];

/** As Jackson has it, and SQLite for its JSON functions. */
const DEFAULT_MAX_DEPTH = 1_000;

/** On Node 20 `JSON.stringify`, and so `res.json`, overflows the stack at about 4,000. */
const HIGHEST_MAX_DEPTH = 2_000;

const FORMATS = ["json", "form", "text"] as const;

/** Only how it begins: body parsers are lenient about the parameters. */
const FORM_REGEXP = /^[ \t]*application\/x-www-form-urlencoded/i;

/** As HTTP spells it, and as Node does. */
const UTF8_REGEXP = /^utf-?8$/i;

/** The `type` of an error for text that is UTF-8, or was meant to be, and holds a character that takes four bytes. */
const UNSUPPORTED = "text.unsupported";

/** Node reads a field value a character a byte. The same few come again and again. */
const findLineFault = memoize((line) => findTextFault(Buffer.from(line, "latin1")));

type Refusal = readonly [ErrorCode, ErrorFacts];

/** Where a fault is, and which. */
type Finding = readonly [place: string, fault: TextFault];

/** A function for the option `verify` of a body parser; it throws what the client is to be told. */
export type BodyVerifier = (req: IncomingMessage, res: ServerResponse, body: Buffer, encoding?: string | null) => void;

export interface Utf8GuardOptions {
  /**
   * Whether the path is checked, percent-decoded.
   *
   * @default true
   */
  path?: boolean;

  /**
   * Whether the query is checked, percent-decoded.
   *
   * @default true
   */
  query?: boolean;

  /**
   * The headers whose values are checked: those that the application reads as text.
   *
   * @default ["User-Agent", "X-Device-Fingerprint"]
   */
  headers?: readonly string[];
}

const OPTIONS: Record<keyof Utf8GuardOptions, true> = { path: true, query: true, headers: true };

export interface BodyVerifierOptions {
  /**
   * What the parser reads: `"json"`, where characters can be written as escapes, `"form"`, where they can be
   * percent-encoded, or `"text"`, where neither means anything.
   *
   * @default "json", and "form" as well when that is the `Content-Type`
   */
  format?: "json" | "form" | "text";

  /**
   * How many levels of arrays and objects JSON may have, 1–2,000.
   *
   * @default 1000
   */
  maxDepth?: number;
}

const VERIFIER_OPTIONS: Record<keyof BodyVerifierOptions, true> = { format: true, maxDepth: true };

/**
 * Refuse a request whose path, query or headers hold anything but UTF-8 of at most three bytes a character. Does not
 * look at the body: {@link verifyUtf8} does, from within the body parser.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 */
export function utf8Guard(options: Readonly<Utf8GuardOptions> = {}): RequestHandler {
  const { path, query, headers } = parseOptions(options);
  const names = new Set(headers.map((name) => name.toLowerCase()));
  const lengths = new Set(headers.map((name) => name.length));

  return function utf8GuardMiddleware(req, _res, next) {
    const finding = find(req);
    if (finding === undefined) {
      next();
      return;
    }
    const [place, fault] = finding;
    next(clientError(createError, "E0009000", { type: typeOf(fault), causes: [formatTextFault(place, fault)] }));
  };

  function find({ originalUrl, rawHeaders }: Request): Finding | undefined {
    const sentQuery = queryOf(originalUrl);
    const sentPath = sentQuery === "" ? originalUrl : originalUrl.slice(0, -sentQuery.length - 1);
    return (
      (path ? findInPath(sentPath) : undefined) ??
      (query ? findInParameters(sentQuery, "Query parameter") : undefined) ??
      (hasFaultyLine(rawHeaders) ? findInHeaders(rawHeaders, headers) : undefined)
    );
  }

  /** One pass over all fields; nearly all of them are of another length. */
  function hasFaultyLine(rawHeaders: readonly string[]): boolean {
    for (let index = 1; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index - 1] ?? "";
      if (!lengths.has(name.length) || !names.has(name.toLowerCase())) continue;
      if (findLineFault(rawHeaders[index] ?? "")) return true;
    }
    return false;
  }
}

/**
 * The `verify` function of a body parser, `express.json({ verify: createBodyVerifier() })`: refuses a body that is not
 * UTF-8 of at most three bytes a character, also where JSON escapes or the percent-encoding of a form spell it, and
 * JSON that is nested too deep. Sees the body after content decoding. Does not parse it.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 */
export function createBodyVerifier(options: Readonly<BodyVerifierOptions> = {}): BodyVerifier {
  const { format, maxDepth } = parseVerifierOptions(options);

  return function verifyBody(req, _res, body, encoding) {
    const refusal = findCharset(req, encoding) ?? findText(req, body, format) ?? findDepth(body);
    if (refusal) throw clientError(createError, ...refusal);
  };

  function findDepth(body: Buffer): Refusal | undefined {
    const offset = format === "form" || format === "text" ? undefined : findExcessDepth(body, maxDepth);
    if (offset === undefined) return undefined;
    const cause = `The body: the bracket at byte ${offset} opens level ${maxDepth + 1}; ${maxDepth} are supported.`;
    return ["E0000003", { type: "body.too-deep", causes: [cause] }];
  }
}

/**
 * What {@link createBodyVerifier} makes, without a limit to the nesting: `express.json({ verify: verifyUtf8 })`.
 */
export function verifyUtf8(req: IncomingMessage, _res: ServerResponse, body: Buffer, encoding?: string | null): void {
  const refusal = findCharset(req, encoding) ?? findText(req, body, undefined);
  if (refusal) throw clientError(createError, ...refusal);
}

function findInPath(path: string): Finding | undefined {
  const fault = findEncodedTextFault(path);
  return fault && ["The path", fault];
}

/** @param text `name=value` pairs with `&` between them, a character a byte */
function findInParameters(text: string, kind: string): Finding | undefined {
  const fault = findEncodedTextFault(text);
  if (fault === undefined) return undefined;
  const start = text.lastIndexOf("&", fault.offset) + 1;
  const [name = ""] = text.slice(start).split(/[=&]/, 1);
  const readable = findEncodedTextFault(name) ? name : decodeURIComponent(name);
  return [`${kind} ${excerpt(readable)}`, fault];
}

function findInHeaders(rawHeaders: readonly string[], names: readonly string[]): Finding | undefined {
  for (const name of names) {
    for (const line of fieldLines(rawHeaders, name)) {
      const fault = findLineFault(line);
      if (fault) return [name, fault];
    }
  }
  return undefined;
}

/** A parser says what it decodes the body with; `Content-Type` does when there is none. */
function findCharset({ headers }: IncomingMessage, encoding: string | null | undefined): Refusal | undefined {
  const sent = headers["content-type"] ?? "";
  const charset = encoding ?? parseMediaType(sent)?.parameters.get("charset") ?? "utf-8";
  if (UTF8_REGEXP.test(charset)) return undefined;
  const cause = `The body is in the charset ${excerpt(charset)}; accepted is "utf-8".`;
  return ["E0000021", { type: "charset.unsupported", causes: [cause] }];
}

function findText(
  { headers }: IncomingMessage,
  body: Buffer,
  format: BodyVerifierOptions["format"],
): Refusal | undefined {
  if (format === "form" || (format === undefined && FORM_REGEXP.test(headers["content-type"] ?? ""))) {
    const finding = findInParameters(body.toString("latin1"), "Field");
    if (finding) return refuseText(...finding);
  }
  if (format === "form" || format === "text") {
    const fault = findTextFault(body);
    return fault && refuseText("The body", fault);
  }
  const fault = findJsonTextFault(body);
  return fault && refuseText(formatPlace(locatePointer(body, fault.offset)) || "The body", fault);
}

/** Text that could be read is refused as a value is (rule E2), other text as a body that can't be read. */
function refuseText(place: string, fault: TextFault): Refusal {
  const type = typeOf(fault);
  const causes = [formatTextFault(place, fault)];
  return type === UNSUPPORTED ? ["E0000001", { type, detail: place, causes }] : ["E0000003", { type, causes }];
}

function typeOf({ reason }: TextFault): string {
  return reason === "fourByte" || reason === "surrogate" ? UNSUPPORTED : "text.malformed";
}

function parseOptions(options: Readonly<Utf8GuardOptions>): Required<Utf8GuardOptions> {
  assertKnownOptions("utf8Guard", options, OPTIONS);
  const headers = stringsOption("utf8Guard", "headers", options.headers, DEFAULT_HEADERS);
  return {
    path: booleanOption("utf8Guard", "path", options.path, true),
    query: booleanOption("utf8Guard", "query", options.query, true),
    headers: headers.map((name) => fieldNameOption("utf8Guard", "headers", name, "")),
  };
}

function parseVerifierOptions(options: Readonly<BodyVerifierOptions>) {
  assertKnownOptions("createBodyVerifier", options, VERIFIER_OPTIONS);
  const { format } = options;
  if (format !== undefined && !FORMATS.includes(format)) {
    throw optionError("createBodyVerifier", "format", '"json", "form" or "text"');
  }
  const maxDepth = integerOption("createBodyVerifier", "maxDepth", options.maxDepth, {
    fallback: DEFAULT_MAX_DEPTH,
    min: 1,
    max: HIGHEST_MAX_DEPTH,
  });
  return { format, maxDepth };
}
