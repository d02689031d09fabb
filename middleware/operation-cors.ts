import { METHODS } from "node:http";
import cors, { type CorsOptions } from "cors";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { apiError, type ApiError } from "../lib/errors/index.js";
import { excerpt } from "../lib/text/index.js";
import {
  assertKnownOptions,
  booleanOption,
  compileNamespace,
  fieldNameOption,
  functionOption,
  integerOption,
  optionError,
  stringsOption,
} from "../lib/options/index.js";
import { compileOriginJudge, compileTrustedOrigins, type OriginOption, type OriginVerdict } from "../lib/net/index.js";

export type { OriginOption } from "../lib/net/index.js";

const FACTORY = "operationCors";

/** What no page can send (Fetch, "forbidden method"), and what preflights are sent with. */
const UNMARKABLE: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "OPTIONS"]);

/** What an API of this kind reads of every request, and a page needs leave to set. */
const COMMON_HEADERS = ["Accept", "Authorization", "Content-Type"];

/** In seconds: for so long an origin that has lost its trust may still send what it was granted. */
const TEN_MINUTES = 600;

/** In seconds: the longest that a browser keeps a preflight. */
const DAY = 86_400;

/** What the answer to `OPTIONS` depends on. */
const PREFLIGHT_FIELDS = "Access-Control-Request-Method, Access-Control-Request-Headers";

/** An operation that is open to other origins. */
export interface CorsOperation {
  /**
   * Names of the request headers that a page may set, in any case. What browsers let every page set, such as
   * `Accept-Language`, need not be named.
   *
   * @default Accept, Authorization, Content-Type, and If-None-Match (GET, HEAD) or If-Match (other methods)
   */
  allowedHeaders?: readonly string[];
}

export interface OperationCorsOptions {
  /**
   * The origins that are trusted: a list; a function of the request that returns one or promises one, an org's own; or
   * `"*"` for everyone. Scheme, host and port must be equal. A list that is given here must be in the form that browsers
   * send; of one that is returned, entries in another form, `null` and wildcards match nothing.
   */
  origin: OriginOption<Request>;

  /** The methods of the path that are open to other origins, in upper case. `GET` brings `HEAD`. */
  operations: Readonly<Record<string, Readonly<CorsOperation>>>;

  /**
   * Names of the headers that a page may read of an answer.
   *
   * @default ["Link", "ETag", "X-Svc-Request-Id", "X-Rate-Limit-Limit", "X-Rate-Limit-Remaining", "X-Rate-Limit-Reset", "Retry-After"]
   */
  exposedHeaders?: readonly string[];

  /**
   * Whether pages may send cookies and client certificates. Tokens in `Authorization` do not need it.
   *
   * @default false
   */
  credentials?: boolean;

  /**
   * How many seconds a browser may keep the answer to a preflight, 0–86,400.
   *
   * @default 600
   */
  maxAge?: number;

  /**
   * The name that public names derive from; 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * Told of what the function `origin` throws or rejects with, and when it returns no array. What it throws, returns or
   * rejects with is ignored.
   *
   * @default writes to `console.error`
   */
  log?: (error: unknown, req: Request) => unknown;
}

const OPTIONS: Record<keyof OperationCorsOptions, true> = {
  origin: true,
  operations: true,
  exposedHeaders: true,
  credentials: true,
  maxAge: true,
  namespace: true,
  log: true,
};

const OPERATION_OPTIONS: Record<keyof CorsOperation, true> = { allowedHeaders: true };

interface Operation {
  readonly allowedHeaders: readonly string[];
  /** The same in lower case. */
  readonly allowedNames: ReadonlySet<string>;
  /** Answers the preflight. */
  readonly grant: ReturnType<typeof cors>;
}

/**
 * Open the marked operations of a path to the pages of trusted origins: their answers, errors included, can be read, and
 * their preflights are answered with that operation's method and headers alone. What is not marked, and origins that are
 * not trusted, get nothing but `Vary: Origin`. Mount it on the path, before whatever may refuse the request:
 * `app.all("/users/:id", operationCors({ … }))`. Does not keep anyone from sending a request.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 */
export function operationCors(options: Readonly<OperationCorsOptions>): RequestHandler {
  const { isPublic, judgeOrigin, operations, credentials, exposedHeaders } = parseOptions(options);
  const preflightVary = isPublic ? PREFLIGHT_FIELDS : `Origin, ${PREFLIGHT_FIELDS}`;

  return function operationCorsMiddleware(req, res, next) {
    if (req.method === "OPTIONS") {
      res.vary(preflightVary);
      if (isPreflight(req)) answerPreflight(req, res, next);
      else next();
      return;
    }
    if (!isPublic) varyByOrigin(res);
    if (!operations.has(req.method)) {
      next();
      return;
    }
    judge(req, res, (verdict) => {
      if (verdict === "trusted") exposeAnswer(res, req.headers.origin);
      next();
    });
  };

  /** What the package `cors` puts on an answer, whose fields do not depend on the request but for the origin. */
  function exposeAnswer(res: Response, origin: string | undefined): void {
    res.setHeader("Access-Control-Allow-Origin", isPublic ? "*" : (origin ?? ""));
    if (credentials) res.setHeader("Access-Control-Allow-Credentials", "true");
    if (exposedHeaders !== "") res.setHeader("Access-Control-Expose-Headers", exposedHeaders);
  }

  function answerPreflight(req: Request, res: Response, next: NextFunction): void {
    if (req.route === undefined) {
      next(new TypeError(`${FACTORY}: mount it on a path, app.all(path, ${FACTORY}({ … })), so that the path exists`));
      return;
    }
    judge(req, res, (verdict) => {
      const operation = verdict === "trusted" ? findOperation(req, operations) : originError(verdict, req);
      if (operation instanceof Error) next(operation);
      else operation.grant(req, res, next);
    });
  }

  /** Go on with a verdict: at once when nobody has to be asked. */
  function judge(req: Request, res: Response, proceed: (verdict: OriginVerdict) => void): void {
    const judged = judgeOrigin(req.headers.origin, req);
    if (typeof judged === "string") {
      proceed(judged);
      return;
    }
    void judged.then((verdict) => {
      if (!res.headersSent) proceed(verdict); // else a time-out answered
    });
  }
}

/** The operation that a preflight asks about, or why it is refused. */
function findOperation({ headers }: Request, operations: ReadonlyMap<string, Operation>): Operation | ApiError {
  const method = headers["access-control-request-method"] ?? "";
  const operation = operations.get(method);
  if (!operation) {
    const open = [...operations.keys()].join(", ");
    return refusal("method", `${excerpt(method)} is not open to other origins; open: ${open}.`);
  }

  const foreign = findForeignName(headers["access-control-request-headers"], operation.allowedNames);
  if (foreign === undefined) return operation;
  const allowed = operation.allowedHeaders.join(", ") || "none";
  return refusal("header", `${method} takes no ${excerpt(foreign)} from other origins; taken: ${allowed}.`);
}

/** To parse a list that is not there would cost more than all else. */
function varyByOrigin(res: Response): void {
  if (res.hasHeader("Vary")) res.vary("Origin");
  else res.setHeader("Vary", "Origin");
}

/** Fetch, "CORS-preflight request". Any other `OPTIONS` is an ordinary request. */
function isPreflight({ headers }: Request): boolean {
  return headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

/** The first name of the list `sent` that is not among `allowed`, lower-case names. */
function findForeignName(sent = "", allowed: ReadonlySet<string>): string | undefined {
  return sent
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .find((name) => name !== "" && !allowed.has(name)); // RFC 9110 section 5.6.1.2: elements may be empty
}

function originError(verdict: "denied" | "unknown", { headers }: Request): ApiError {
  if (verdict === "denied") return refusal("origin", `The origin ${excerpt(headers.origin ?? "")} is not trusted.`);
  return apiError("E0009011", { type: "cors.unavailable" });
}

function refusal(reason: "origin" | "method" | "header", cause: string): ApiError {
  return apiError("E0000212", { type: `cors.${reason}-denied`, causes: [cause] });
}

function logToConsole(error: unknown): void {
  console.error(`${FACTORY}: the trusted origins could not be read, so none is trusted:`, error);
}

function parseOptions(options: Readonly<OperationCorsOptions>) {
  assertKnownOptions(FACTORY, options, OPTIONS);
  const log = functionOption(FACTORY, "log", options.log, logToConsole);
  const isPublic = options.origin === "*";
  const credentials = booleanOption(FACTORY, "credentials", options.credentials, false);
  if (isPublic && credentials) {
    throw optionError(FACTORY, "credentials", 'false when `origin` is "*": browsers refuse the two together');
  }
  const policy = {
    origin: isPublic ? "*" : true, // `true` repeats the origin, which was judged before
    credentials,
    maxAge: integerOption(FACTORY, "maxAge", options.maxAge, { fallback: TEN_MINUTES, min: 0, max: DAY }),
  };
  const { requestIdHeader } = compileNamespace(FACTORY, options.namespace);
  const exposedHeaders = fieldNamesOption(FACTORY, "exposedHeaders", options.exposedHeaders, [
    "Link",
    "ETag",
    requestIdHeader,
    "X-Rate-Limit-Limit",
    "X-Rate-Limit-Remaining",
    "X-Rate-Limit-Reset",
    "Retry-After",
  ]);
  return {
    isPublic,
    judgeOrigin: compileOriginJudge(compileTrustedOrigins(FACTORY, options.origin), log),
    operations: parseOperations(options.operations, policy),
    credentials,
    exposedHeaders: exposedHeaders.join(","),
  };
}

function parseOperations(value: unknown, policy: CorsOptions): ReadonlyMap<string, Operation> {
  const marked = { ...(value as Record<string, CorsOperation | undefined>) };
  marked["HEAD"] ??= marked["GET"];
  const operations = new Map<string, Operation>();
  for (const [method, operation] of Object.entries(marked)) {
    if (!METHODS.includes(method) || UNMARKABLE.has(method)) throw methodsError();
    if (operation !== undefined) operations.set(method, parseOperation(method, operation, policy));
  }
  if (operations.size === 0) throw methodsError();
  return operations;
}

function methodsError(): TypeError {
  const expected = "an object with methods in upper case, other than CONNECT, OPTIONS and TRACE: { GET: {} }";
  return optionError(FACTORY, "operations", expected);
}

function parseOperation(method: string, operation: CorsOperation, policy: CorsOptions): Operation {
  const factory = `${FACTORY}, operation ${method}`;
  assertKnownOptions(factory, operation, OPERATION_OPTIONS);
  const conditional = method === "GET" || method === "HEAD" ? "If-None-Match" : "If-Match";
  const fallback = [...COMMON_HEADERS, conditional];
  const allowedHeaders = fieldNamesOption(factory, "allowedHeaders", operation.allowedHeaders, fallback);
  return {
    allowedHeaders,
    allowedNames: new Set(allowedHeaders.map((name) => name.toLowerCase())),
    grant: cors({ ...policy, methods: [method], allowedHeaders }),
  };
}

/** A copy of `value`, or of `fallback` when it is absent. `*` is a name to RFC 9110, and every name to browsers. */
function fieldNamesOption(factory: string, option: string, value: unknown, fallback: readonly string[]): string[] {
  return stringsOption(factory, option, value, fallback).map((name) => {
    if (name === "*") throw optionError(factory, option, "an array of header field names; `*` is none");
    return fieldNameOption(factory, option, name, name);
  });
}
