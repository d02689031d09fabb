import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { ErrorRequestHandler, Request, Response } from "express";
import { compileAccept, createIdGenerator, isRequestId } from "../lib/http/index.js";
import {
  classifyError,
  compileCatalogue,
  type CompiledCatalogue,
  type ErrorCatalogue,
  type ErrorObject,
  type FieldValue,
  formatErrorObject,
} from "../lib/errors/index.js";
import {
  assertKnownOptions,
  booleanOption,
  compileNamespace,
  fieldNameOption,
  functionOption,
} from "../lib/options/index.js";

const PROBLEM = "application/problem+json";
const selectMediaType = compileAccept(["application/json", PROBLEM]);

/** Fields of the answer that the error replaces. An error may bring its own: `Content-Range` with a 416. */
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

/** Fields that would misdescribe the bytes of the error object, whoever set them. */
const CODING_FIELDS = [
  "Content-Digest",
  "Content-Encoding",
  "Content-MD5",
  "Repr-Digest",
  "Trailer",
  "Transfer-Encoding",
];

/** What is handed to `log` beside the error. */
export interface ErrorReport {
  readonly req: Request;
  /** The status of the answer, 400–599. */
  readonly status: number;
  /** What the client is told, unless the head of another answer went out before. */
  readonly errorObject: ErrorObject;
}

export interface ErrorFormatterOptions {
  /**
   * The name that public names derive from; 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * Header that carries the id on every response.
   *
   * @default "X-Svc-Request-Id", from the namespace
   */
  headerName?: string;

  /**
   * The id of the request, for `errorId`: 1–128 characters of `A–Z a–z 0–9 . _ ~ -`. Without one, or when it throws, the
   * id that is in the header of the response is taken, else a new one.
   *
   * @default () => undefined
   */
  getRequestId?: (req: Request) => string | undefined;

  /**
   * Told of every error, once, before the answer is sent. What it throws, returns or rejects with is ignored.
   *
   * @default writes 5xx to `console.error`, with the request's id
   */
  log?: (error: unknown, report: ErrorReport) => unknown;

  /**
   * Answer with an RFC 9457 problem, the same object with five more members, where `Accept` prefers
   * `application/problem+json` over `application/json`. Errors then carry `Vary: Accept`.
   *
   * @default false
   */
  problemDetails?: boolean;

  /**
   * Codes of your own, beside those of the suite; {@link compileApiError} makes errors of them.
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
  problemDetails: true,
  catalogue: true,
};

/**
 * Answer every error with the error object, and nothing of a 5xx but its code. The only place of the suite that writes
 * an error body. Mount it last. When the head of another answer went out before, it closes the connection, unless that
 * answer is complete. Does not change what is thrown.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 */
export function errorFormatter(options: Readonly<ErrorFormatterOptions> = {}): ErrorRequestHandler {
  const { headerName, getRequestId, log, problemDetails, catalogue } = parseOptions(options);
  const generateId = createIdGenerator(randomBytes);

  return function errorFormatterMiddleware(error: unknown, req, res, _next) {
    const { status, code, summary, causes, headers } = classifyError(error, catalogue);
    const id = identify(req, res);
    const errorObject = formatErrorObject(code, { id, summary, causes });
    void report(error, { req, status, errorObject });

    if (res.headersSent) {
      if (!res.writableEnded) res.destroy(); // the only sign left that the answer is not whole
      return;
    }
    replaceFields(res, headers);
    res.setHeader(headerName, id);
    res.setHeader("X-Content-Type-Options", "nosniff");
    if (problemDetails) res.vary("Accept");

    res.statusCode = status;
    res.statusMessage = ""; // one that was set for another status; Node writes the standard phrase
    if (problemDetails && selectMediaType(req.headers.accept) === PROBLEM) {
      send(req, res, PROBLEM, toProblem(errorObject, status));
    } else {
      send(req, res, "application/json; charset=utf-8", errorObject);
    }
  };

  function identify(req: Request, res: Response): string {
    let id: unknown;
    try {
      id = getRequestId(req);
    } catch {
      // what gives the id did not run for this request
    }
    if (isRequestId(id)) return id;
    const present = res.getHeader(headerName);
    return isRequestId(present) ? present : generateId();
  }

  /** A log that fails, at once or later, must take neither the answer nor the process with it. */
  async function report(...args: Parameters<typeof log>): Promise<void> {
    try {
      await log(...args);
    } catch {
      // nowhere is left to tell
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
      // no header can hold it: ERR_INVALID_CHAR, ERR_INVALID_HTTP_TOKEN; the answer matters more
    }
  }
  for (const name of CODING_FIELDS) res.removeHeader(name);
}

/**
 * RFC 9457 section 3.1. With the type `about:blank` the title is the status phrase (section 4.2.1); `instance`, a
 * reference relative to the request's URL, tells this occurrence from others.
 */
function toProblem(errorObject: ErrorObject, status: number): object {
  return {
    type: "about:blank",
    title: STATUS_CODES[status],
    status,
    detail: errorObject.errorSummary,
    instance: `#${errorObject.errorId}`,
    ...errorObject,
  };
}

function send(req: Request, res: Response, type: string, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  res.setHeader("Content-Type", type);
  res.setHeader("Content-Length", bytes.length);
  req.unpipe();
  req.resume(); // what is left of the body must not stall the connection
  res.end(req.method === "HEAD" ? undefined : bytes);
}

function logToConsole(error: unknown, { status, errorObject }: ErrorReport): void {
  if (status >= 500) console.error(`request ${errorObject.errorId} failed:`, error);
}

type Settings = Required<Omit<ErrorFormatterOptions, "namespace" | "catalogue">> & { catalogue: CompiledCatalogue };

function parseOptions(options: Readonly<ErrorFormatterOptions>): Settings {
  assertKnownOptions("errorFormatter", options, OPTIONS);
  const { requestIdHeader } = compileNamespace("errorFormatter", options.namespace);
  return {
    headerName: fieldNameOption("errorFormatter", "headerName", options.headerName, requestIdHeader),
    getRequestId: functionOption("errorFormatter", "getRequestId", options.getRequestId, () => undefined),
    log: functionOption("errorFormatter", "log", options.log, logToConsole),
    problemDetails: booleanOption("errorFormatter", "problemDetails", options.problemDetails, false),
    catalogue: compileCatalogue("errorFormatter", options.catalogue),
  };
}
