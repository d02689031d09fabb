import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import { compileAccept, createIdGenerator, isRequestId, negotiatedType } from "../lib/http/index.js";
import {
  CODING_FIELDS,
  compileCatalogue,
  compileErrorFormat,
  compileErrorMap,
  type ErrorCatalogue,
  type ErrorFormatOptions,
  type ErrorMap,
  type ErrorObject,
  type FieldValue,
  FORMAT_OPTIONS,
  formatMessage,
  PROBLEM_TYPE,
} from "../lib/errors/index.js";
import {
  assertKnownOptions,
  booleanOption,
  compileNamespace,
  type ErrorMiddleware,
  fieldNameOption,
  functionOption,
  isDevelopment,
  type NothingElse,
  optionError,
} from "../lib/factory/index.js";
import { nameRoute } from "../lib/express/index.js";
import { formatPrintable } from "../lib/text/index.js";

export type {
  ErrorFormat,
  ErrorFormatOptions,
  ErrorMap,
  ErrorStatus,
  FormattedError,
  MappedError,
  SentError,
} from "../lib/errors/index.js";

const selectMediaType = compileAccept(["application/json", PROBLEM_TYPE]);

/** Fields of the intended response, which an error response must not have. An error may set its own, as a 416 does. */
const REPLACED_FIELDS = [
  "Accept-Ranges",
  "Content-Disposition",
  "Content-Language",
  "Content-Location",
  "Content-Range",
  "ETag",
  "Last-Modified",
  "Location",
];

/** The second argument of `log`. */
export interface ErrorReport {
  readonly req: Request;
  /** The error that `map` returned, `undefined` when it left the error as it was. */
  readonly mapped?: unknown;
  /** The status of the response, 400–599; 500 for the failure of `map`, `format` or `status`. */
  readonly status: number;
  /** The body of the response, unless `format` gives another, or the headers of another response were sent before. */
  readonly errorObject: ErrorObject;
}

export interface ErrorFormatterOptions extends ErrorFormatOptions<Request> {
  /**
   * The name that public names such as `headerName` derive from: 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * The header with the request id, on every error response.
   *
   * @default "X-Svc-Request-Id", from the namespace
   */
  headerName?: string;

  /**
   * Returns the id of the request, for `errorId`: 1–128 characters of `A–Z a–z 0–9 . _ ~ -`. If it throws or returns
   * another value, `errorId` is the id in the response header, or a new id.
   *
   * @default () => undefined
   */
  getRequestId?: (req: Request) => string | undefined;

  /**
   * Called once for every error that was thrown, before the response is sent, and once more for each of `map`, `format` and
   * `status` that failed for it. Its result and its errors are ignored. `false` logs nothing.
   *
   * @default writes each 5xx to `console.error` with the method, the route and the request id; in development also each 4xx, as one line to `console.warn`
   */
  log?: false | ((error: unknown, report: ErrorReport) => unknown);

  /**
   * Says what to send for an error of a library: an error, such as one of `apiError()` or `http-errors`, or an object
   * `{ code, detail, causes }` with a code of the catalogue. `undefined` leaves the error as it is. When it throws or
   * returns another value, the error is sent as it is, and both the error and the failure are logged. Of several maps the
   * first that knows the error decides.
   *
   * @default []
   */
  map?: ErrorMap<Request> | readonly ErrorMap<Request>[];

  /**
   * Whether to send an RFC 9457 problem, the same object with five more members, when `Accept` prefers
   * `application/problem+json` over `application/json`. Error responses then have `Vary: Accept`.
   *
   * @default false
   */
  problemDetails?: boolean;

  /**
   * Codes of your own, in addition to those of the suite. `compileApiError()` makes errors with them.
   *
   * @default {}
   */
  catalogue?: ErrorCatalogue;
}

const OPTIONS: Record<keyof ErrorFormatterOptions, true> = {
  namespace: true,
  headerName: true,
  getRequestId: true,
  log: true,
  map: true,
  problemDetails: true,
  catalogue: true,
  ...FORMAT_OPTIONS,
};

/**
 * Send the error object for every error; of a 5xx the client sees only the code. Mount it last. If the headers of another
 * response were sent before, it closes the connection, unless that response is complete. Does not change the error.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 * @example
 * app.use(notFound());
 * app.use(errorFormatter({ getRequestId: tryGetRequestId }));
 */
export function errorFormatter(options?: Readonly<ErrorFormatterOptions>, ..._: NothingElse): ErrorMiddleware;
// Express passes errors to functions with four parameters only, also to a factory that was mounted without a call
export function errorFormatter(
  options?: Readonly<ErrorFormatterOptions>,
  uncalled?: object,
  _res?: object,
  _next?: object,
): ErrorMiddleware {
  const { headerName, getRequestId, log, mapError, problemDetails, formatError } = parseOptions(uncalled ?? options);
  const generateId = createIdGenerator(randomBytes);

  return function errorFormatterMiddleware(error: unknown, req, res, _next) {
    const { shown, failure } = mapError(error, req);
    const occurrence = {
      id: identify(req, res),
      retryAfter: res.getHeader("Retry-After"),
      negotiatedType: negotiatedType.tryGet(req),
      prefersProblem: problemDetails && selectMediaType(req.headers.accept) === PROBLEM_TYPE,
    };
    const { status, headers, errorObject, failures, ...content } = formatError(shown, occurrence, req);
    void report(error, { req, status, errorObject, mapped: shown === error ? undefined : shown });
    for (const cause of failure ? [failure, ...failures] : failures)
      void report(cause, { req, status: 500, errorObject });

    if (res.headersSent) {
      if (!res.writableEnded) res.destroy(); // the only way left to show that the response is incomplete
      return;
    }
    replaceFields(res, headers);
    res.setHeader(headerName, occurrence.id);
    res.setHeader("X-Content-Type-Options", "nosniff");
    if (problemDetails) res.vary("Accept");

    res.statusCode = status;
    res.statusMessage = ""; // it may have been set for another status; Node writes the standard phrase
    send(req, res, content);
  };

  function identify(req: Request, res: Response): string {
    let id: unknown;
    try {
      id = getRequestId(req);
    } catch {
      // the middleware that sets the id did not run for this request
    }
    if (isRequestId(id)) return id;
    const present = res.getHeader(headerName);
    return isRequestId(present) ? present : generateId();
  }

  /** A log that throws or rejects must not stop the response or the process. */
  async function report(...args: Parameters<typeof log>): Promise<void> {
    try {
      await log(...args);
    } catch {
      // there is nowhere else to report it
    }
  }
}

function replaceFields(res: Response, headers: Readonly<Record<string, FieldValue>>): void {
  for (const name of REPLACED_FIELDS) res.removeHeader(name);
  res.setHeader("Cache-Control", "no-store");
  for (const [name, value] of Object.entries(headers)) {
    try {
      res.setHeader(name, value);
    } catch {
      // not valid in a header (ERR_INVALID_CHAR, ERR_INVALID_HTTP_TOKEN); the response matters more
    }
  }
  for (const name of CODING_FIELDS) res.removeHeader(name);
}

function send(req: Request, res: Response, { mediaType, body }: { mediaType: string; body: string }): void {
  const bytes = Buffer.from(body);
  res.setHeader("Content-Type", mediaType);
  res.setHeader("Content-Length", bytes.length);
  req.unpipe();
  req.resume(); // an unread request body would block the connection
  res.end(req.method === "HEAD" ? undefined : bytes);
}

function logFailure(error: unknown, { req, status, errorObject }: ErrorReport): void {
  // the line is no format: a path may have a `%s`
  if (status >= 500) console.error("%s", `${nameRoute(req)} failed, request ${errorObject.errorId}:`, error);
}

/** The author of an app also wants to see what it refuses. */
function logEverything(error: unknown, report: ErrorReport): void {
  logFailure(error, report);
  const { req, status, errorObject, mapped = error } = report;
  if (status >= 500) return;
  const { errorCode, errorId, errorSummary, errorCauses } = errorObject;
  const { message } = mapped as { readonly message?: unknown };
  const reason = typeof message === "string" && message !== "" ? message : formatMessage(errorSummary, errorCauses);
  const line = `${nameRoute(req)} refused with ${status} ${errorCode}, request ${errorId}: ${reason}`;
  console.warn(formatPrintable(line));
}

function parseOptions(options: Readonly<ErrorFormatterOptions> = {}) {
  assertKnownOptions("errorFormatter", options, OPTIONS);
  const { requestIdHeader } = compileNamespace("errorFormatter", options.namespace);
  const catalogue = compileCatalogue("errorFormatter", options.catalogue);
  const problemDetails = booleanOption("errorFormatter", "problemDetails", options.problemDetails, false);
  const formatError = compileErrorFormat("errorFormatter", options, catalogue, problemDetails);
  if (problemDetails && (options.format ?? "svc") !== "svc") {
    throw optionError("errorFormatter", "problemDetails", 'left out, or `format` be "svc"');
  }
  return {
    headerName: fieldNameOption("errorFormatter", "headerName", options.headerName, requestIdHeader),
    getRequestId: functionOption("errorFormatter", "getRequestId", options.getRequestId, () => undefined),
    log: logOption(options.log),
    problemDetails,
    formatError,
    mapError: compileErrorMap("errorFormatter", options.map ?? [], options.catalogue ?? {}),
  };
}

function logOption(
  value: ErrorFormatterOptions["log"] = isDevelopment() ? logEverything : logFailure,
): (error: unknown, report: ErrorReport) => unknown {
  if (value === false) return () => undefined;
  if (typeof value !== "function") throw optionError("errorFormatter", "log", "a function or false");
  return value;
}
