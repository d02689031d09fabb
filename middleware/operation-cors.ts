import type { NextFunction, Request, Response } from "express";
import { apiError, type ApiError } from "../lib/errors/index.js";
import {
  compileCorsOperations,
  constantHeader,
  type CorsOperation,
  headerWriter,
  type OpenOperation,
  readHeader,
} from "../lib/express/index.js";
import { excerpt } from "../lib/text/index.js";
import {
  assertKnownOptions,
  booleanOption,
  compileNamespace,
  fieldNamesOption,
  functionOption,
  integerOption,
  type Middleware,
  optionError,
  type NothingElse,
} from "../lib/factory/index.js";
import { compileOriginJudge, compileTrustedOrigins, type OriginOption, type OriginVerdict } from "../lib/net/index.js";

export type { CorsOperation } from "../lib/express/index.js";
export type { OriginOption } from "../lib/net/index.js";

const FACTORY = "operationCors";

/** In seconds: how long an origin that is no longer trusted may still use an earlier preflight. */
const TEN_MINUTES = 600;

/** In seconds: the longest time that any browser caches a preflight. */
const DAY = 86_400;

/** The request fields that the response to `OPTIONS` depends on. */
const PREFLIGHT_FIELDS = "Access-Control-Request-Method, Access-Control-Request-Headers";

export interface OperationCorsOptions {
  /**
   * The trusted origins: a list; a function of the request that returns or promises a list, such as that of an org; or
   * `"*"` for every origin. Scheme, host and port must be equal. A list in this option must have the form that browsers
   * send; in a returned list, entries in another form, `null` and wildcards match nothing.
   */
  origin: OriginOption<Request>;

  /**
   * The methods that are open to other origins, in upper case; maybe none. `GET` adds `HEAD`. Mounted with `app.use()`, each
   * path has those of them that its routes have.
   *
   * @default the methods that the routes of the path have
   */
  operations?: Readonly<Record<string, Readonly<CorsOperation>>>;

  /**
   * The names of the response headers that a page may read.
   *
   * @default ["Link", "ETag", "X-Svc-Request-Id", "X-Rate-Limit-Limit", "X-Rate-Limit-Remaining", "X-Rate-Limit-Reset", "RateLimit", "RateLimit-Policy", "Retry-After", "Idempotent-Replayed"]
   */
  exposedHeaders?: readonly string[];

  /**
   * Whether pages may send cookies and client certificates. Tokens in `Authorization` do not need it.
   *
   * @default false
   */
  credentials?: boolean;

  /**
   * How many seconds a browser may cache the response to a preflight, 0–86,400.
   *
   * @default 600
   */
  maxAge?: number;

  /**
   * The name that public names such as `X-Svc-Request-Id` derive from: 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * Called when the function `origin` throws, rejects or does not return an array. Its result and its errors are ignored.
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

const allowCredentials = constantHeader("Access-Control-Allow-Credentials", "true");
const allowOrigin = headerWriter("Access-Control-Allow-Origin");
const varyByOrigin = constantHeader("Vary", "Origin");

type Judgement = OriginVerdict | Promise<OriginVerdict>;

/**
 * Open operations to pages of trusted origins: all that the app has routes for, or those of one path. Such pages can read the
 * responses, errors included, and a preflight allows only the method and the headers of that operation. For other operations
 * and other origins it only adds `Vary: Origin`. Mount it before any middleware that may refuse the request. Does not prevent
 * requests.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 * @example
 * app.use("/api", operationCors({ origin: ["https://app.example.com"] }));
 * @example
 * app.all("/users/:id", operationCors({ origin: ["https://app.example.com"], operations: { GET: {} } }));
 */
export function operationCors(options: Readonly<OperationCorsOptions>, ..._: NothingElse): Middleware {
  const { isPublic, judgeOrigin, operations, credentials, exposedHeaders } = parseOptions(options);
  const expose = exposedHeaders === "" ? undefined : constantHeader("Access-Control-Expose-Headers", exposedHeaders);
  const preflightVary = isPublic ? PREFLIGHT_FIELDS : `Origin, ${PREFLIGHT_FIELDS}`;

  return function operationCorsMiddleware(req, res, next) {
    if (req.method === "OPTIONS") {
      res.vary(preflightVary);
      if (isPreflight(req)) respondToPreflight(req, res, next);
      else next();
      return;
    }
    if (!isPublic && readHeader(res, "vary") !== undefined) res.vary("Origin"); // which parses it
    else if (!isPublic) varyByOrigin(res);
    const judged = operations.has(req.method) ? judgeOrigin(req.headers.origin, req) : "denied";
    if (typeof judged === "string") pass(judged, req, res, next);
    else {
      whenJudged(judged, res, (verdict) => {
        pass(verdict, req, res, next);
      });
    }
  };

  /** Sets the same fields as the package `cors`. Only the origin depends on the request, and a trusted one is valid. */
  function pass(verdict: OriginVerdict, req: Request, res: Response, next: NextFunction): void {
    if (verdict === "trusted" && operations.of(req)?.has(req.method)) {
      allowOrigin(res, isPublic ? "*" : (req.headers.origin ?? ""));
      if (credentials) allowCredentials(res);
      expose?.(res);
    }
    next();
  }

  function respondToPreflight(req: Request, res: Response, next: NextFunction): void {
    const open = operations.of(req);
    if (open === undefined) {
      next();
      return;
    }
    whenJudged(judgeOrigin(req.headers.origin, req), res, (verdict) => {
      const operation = verdict === "trusted" ? findOperation(req, open) : originError(verdict, req);
      if (operation instanceof Error) next(operation);
      else operation.grant(req, res, next);
    });
  }
}

/** Call `proceed` with the verdict, synchronously if it is known at once. */
function whenJudged(judged: Judgement, res: Response, proceed: (verdict: OriginVerdict) => void): void {
  if (typeof judged === "string") proceed(judged);
  else {
    void judged.then((verdict) => {
      if (!res.headersSent) proceed(verdict); // otherwise a time-out responded
    });
  }
}

/** The operation that a preflight asks for, or the error that refuses it. */
function findOperation({ headers }: Request, operations: ReadonlyMap<string, OpenOperation>): OpenOperation | ApiError {
  const method = headers["access-control-request-method"] ?? "";
  const operation = operations.get(method);
  if (!operation) {
    const open = [...operations.keys()].sort().join(", ") || "none";
    return refusal("method", `${excerpt(method)} is not open to other origins; open: ${open}.`);
  }

  const foreign = findForeignName(headers["access-control-request-headers"], operation.allowedNames);
  if (foreign === undefined) return operation;
  const allowed = operation.allowedHeaders.join(", ") || "none";
  return refusal("header", `${method} takes no ${excerpt(foreign)} from other origins; taken: ${allowed}.`);
}

/** Fetch, "CORS-preflight request". Any other `OPTIONS` is an ordinary request. */
function isPreflight({ headers }: Request): boolean {
  return headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

/** The first name in the list `sent` that is not in `allowed`, whose names are in lower case. */
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
  assertKnownOptions(FACTORY, options, OPTIONS, `app.use(${FACTORY}({ … }))`);
  const log = functionOption(FACTORY, "log", options.log, logToConsole);
  const isPublic = options.origin === "*";
  const credentials = booleanOption(FACTORY, "credentials", options.credentials, false);
  if (isPublic && credentials) {
    throw optionError(FACTORY, "credentials", 'false when `origin` is "*": browsers refuse the two together');
  }
  const policy = {
    origin: isPublic ? ("*" as const) : (true as const), // `true` repeats the origin, which was checked before
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
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Idempotent-Replayed",
  ]);
  return {
    isPublic,
    judgeOrigin: compileOriginJudge(compileTrustedOrigins(FACTORY, options.origin), log),
    operations: compileCorsOperations(FACTORY, options.operations, policy),
    credentials,
    exposedHeaders: exposedHeaders.join(","),
  };
}
