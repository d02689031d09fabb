import type { NextFunction, Request, Response } from "express";
import { constantHeader } from "../lib/express/index.js";
import { apiError, type ApiError } from "../lib/errors/index.js";
import { compileBodyReader, isBodyRead, jsonLimitsOptions, parseJsonBody } from "../lib/faults/index.js";
import {
  assertKnownOptions,
  booleanOption,
  integerOption,
  maxBytesPerCharacterOption,
  type Middleware,
  type NothingElse,
  optionError,
  stringsOption,
} from "../lib/factory/index.js";
import { addToQuery, formatParameters, formatQueryFault, parseMediaType, targetPath } from "../lib/http/index.js";
import { excerpt } from "../lib/text/index.js";

const FACTORY = "queryBody";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

/** The media types of a query that can be read. */
export type QueryBodyType = typeof FORM | typeof JSON_TYPE;

const TYPES: readonly string[] = [FORM, JSON_TYPE] satisfies QueryBodyType[];

/** The default of `jsonBody()`. */
const DEFAULT_LIMIT = 102_400;
const HIGHEST_LIMIT = 1_048_576;

const DEFAULT_MAX_PARAMETERS = 100;
const HIGHEST_MAX_PARAMETERS = 1_000;

/** Servers usually read 8,000 characters of a request line, clients and proxies too. */
const DEFAULT_LOCATION_LENGTH = 8_000;
const HIGHEST_LOCATION_LENGTH = 65_536;

export interface QueryBodyOptions {
  /**
   * The media types of the body: form data, and a JSON object whose members are strings, numbers, booleans or arrays of
   * these. They are sent as `Accept-Query`.
   *
   * @default both
   */
  consumes?: readonly QueryBodyType[];

  /**
   * The most bytes of a body, both as sent and after decoding, 1–1,048,576.
   *
   * @default 102400
   */
  limit?: number;

  /**
   * The most parameters of the URL and the body together, 1–1,000.
   *
   * @default 100
   */
  maxParameters?: number;

  /**
   * The most characters of a path and query that is sent as `Location` and `Content-Location`, 0–65,536.
   *
   * @default 8000
   */
  maxLocationLength?: number;

  /**
   * How many bytes of UTF-8 a character may take: 3 refuses characters beyond U+FFFF such as emoji, 4 accepts them.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;

  /**
   * Whether a body may be compressed: `gzip`, `deflate`, `br`.
   *
   * @default true
   */
  inflate?: boolean;
}

const OPTIONS: Record<keyof QueryBodyOptions, true> = {
  consumes: true,
  limit: true,
  maxParameters: true,
  maxLocationLength: true,
  maxBytesPerCharacter: true,
  inflate: true,
};

/**
 * Take the parameters of a QUERY request (RFC 10008) from its body, after those of its URL: `queryParameters`, `filter` and
 * `pagination` then read them as if all came in the URL. `Location` and `Content-Location` name the URL that gives the same
 * result to a GET, where it is short enough. Every response has `Accept-Query`. Requests with other methods pass.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 * @example
 * app.all("/users", methodNotAllowed({ methods: ["GET", "QUERY"] }), queryBody(), filter({ schema }), listUsers);
 */
export function queryBody(options: Readonly<QueryBodyOptions> = {}, ..._: NothingElse): Middleware {
  const { consumes, rules, maxParameters, maxLocationLength, ...readerOptions } = parseOptions(options);
  const { maxBytes: maxBytesPerCharacter } = rules;
  const accepted = consumes.join(", ");
  const acceptQuery = constantHeader("Accept-Query", accepted);
  const readBody = compileBodyReader({ factory: FACTORY, consumes, ...readerOptions }, parse);

  return function queryBodyMiddleware(req: Request, res: Response, next: NextFunction): void {
    acceptQuery(res);
    if (req.method !== "QUERY") {
      next();
      return;
    }
    allowNotModified(req);
    if (!consumes.includes(typeOf(req) ?? "")) next(refuseType(req, accepted));
    else if (isBodyRead(req)) takeValue(req, req.body, next);
    else readBody(req, next);
  };

  function parse(req: Request, bytes: Buffer, next: NextFunction): void {
    if (typeOf(req) === FORM) {
      take(req, bytes.toString("latin1").replaceAll("+", "%20"), next);
      return;
    }
    const { value, fault } = bytes.length === 0 ? {} : parseJsonBody(bytes, rules);
    if (fault) next(apiError(...fault));
    else takeValue(req, value, next);
  }

  function takeValue(req: Request, value: unknown, next: NextFunction): void {
    const { text, error } = value === undefined ? { text: "" } : toParameters(value);
    if (error) next(error);
    else take(req, text, next);
  }

  /** @param text parameters as in a URL */
  function take(req: Request, text: string, next: NextFunction): void {
    const query = addToQuery(req, req.originalUrl, text);
    const { fault } = query.parse({ maxParameters, maxBytesPerCharacter });
    if (fault) {
      const type = fault.reason === "count" ? "query.too-many" : "query.malformed";
      next(apiError("E0009000", { type, causes: [formatQueryFault(fault, maxParameters)] }));
      return;
    }
    const location = targetPath(req.originalUrl) + (query.text === "" ? "" : `?${query.text}`);
    if (location.length <= maxLocationLength) req.res?.set({ Location: location, "Content-Location": location });
    next();
  }
}

function refuseType({ headers }: Request, accepted: string): ApiError {
  const { "content-type": sent } = headers;
  if (sent === undefined) {
    const causes = [`Content-Type is missing; accepted: ${accepted}.`];
    return apiError("E0000018", { type: "media-type.missing", causes });
  }
  const causes = [`Content-Type is ${excerpt(sent)}; accepted: ${accepted}.`];
  return apiError("E0000021", { type: "media-type.unsupported", causes, headers: { "Accept-Query": accepted } });
}

/** The members of a JSON body as parameters of a URL. */
function toParameters(value: unknown): { text: string; error?: undefined } | { text?: undefined; error: ApiError } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const causes = ["The body of a QUERY must be an object."];
    return { error: apiError("E0000003", { type: "body.scalar", causes }) };
  }
  const { text, fault } = formatParameters(value);
  if (fault === undefined) return { text };
  const causes = [{ message: fault.message, parameter: fault.name }];
  return { error: apiError("E0000001", { type: "request.invalid", detail: fault.name, causes }) };
}

/** Express sends 304 for GET and HEAD only; a QUERY takes it too (RFC 10008 section 2.6). */
function allowNotModified(req: Request): void {
  const asGet = Object.create(req, { method: { value: "GET" } }) as Request;
  const express = Object.getPrototypeOf(req) as object;
  Object.defineProperty(req, "fresh", {
    configurable: true,
    get: () => Reflect.get(express, "fresh", asGet) as unknown,
  });
}

function typeOf({ headers }: Request): string | undefined {
  const { "content-type": sent } = headers;
  return sent === undefined ? undefined : parseMediaType(sent)?.type;
}

function parseOptions(options: Readonly<QueryBodyOptions>) {
  assertKnownOptions(FACTORY, options, OPTIONS);
  const consumes = stringsOption(FACTORY, "consumes", options.consumes, TYPES);
  if (consumes.length === 0 || !consumes.every((type) => TYPES.includes(type))) {
    throw optionError(FACTORY, "consumes", `an array of ${TYPES.map((type) => `"${type}"`).join(" and ")}`);
  }
  const maxBytes = maxBytesPerCharacterOption(FACTORY, options.maxBytesPerCharacter);
  return {
    consumes,
    rules: { limits: jsonLimitsOptions(FACTORY, {}), maxBytes, strict: true, bigint: "string" as const },
    limit: integerOption(FACTORY, "limit", options.limit, { fallback: DEFAULT_LIMIT, min: 1, max: HIGHEST_LIMIT }),
    maxParameters: integerOption(FACTORY, "maxParameters", options.maxParameters, {
      fallback: DEFAULT_MAX_PARAMETERS,
      min: 1,
      max: HIGHEST_MAX_PARAMETERS,
    }),
    maxLocationLength: integerOption(FACTORY, "maxLocationLength", options.maxLocationLength, {
      fallback: DEFAULT_LOCATION_LENGTH,
      min: 0,
      max: HIGHEST_LOCATION_LENGTH,
    }),
    inflate: booleanOption(FACTORY, "inflate", options.inflate, true),
  };
}
