import createError from "http-errors";
import { ERROR_CATALOGUE, formatSummary, type ErrorCause, type ErrorCode, type ErrorFacts } from "./error-catalogue.js";
import type { ErrorType } from "./error-type.js";

/** Statuses from 500 for a request that no change of the server would serve: its method, coding or HTTP version. */
const CAUSED_BY_REQUEST: ReadonlySet<number> = new Set([501, 505]);

/** An error with a code of the catalogue. `isHttpError` of http-errors is true of it. */
export interface ApiError extends Error {
  /** 400–599 */
  readonly status: number;
  /** The same value as `status`. */
  readonly statusCode: number;
  /** Whether the client may read the message: true for a 4xx. */
  readonly expose: boolean;
  readonly code: ErrorCode;
  /** Empty when there is none. */
  readonly causes: readonly ErrorCause[];
  /** Which check refused the request: `"media-type.unsupported"`. */
  readonly type?: ErrorType;
  /** Fields for the response, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Make an error of the catalogue, for `next()` or `throw`. `errorFormatter()` sends it.
 *
 * What a request causes, a 4xx, 501 or 505, has no stack trace: capturing one is most of what an error costs, and `type`
 * and the causes say what was refused. Any other 5xx has one.
 *
 * @throws {TypeError} when `code` is not in the catalogue
 * @example
 * next(apiError("E0000007", { detail: "Resource not found: 42 (Order)" }));
 */
export function apiError(code: ErrorCode, facts: Readonly<ErrorFacts> = {}): ApiError {
  const { status } = ERROR_CATALOGUE[code];
  const { detail, causes = [], type, headers, cause } = facts;
  const message = formatSummary(code, detail);
  const error = withoutStack(() => createError(status, message));
  if (status >= 500 && !CAUSED_BY_REQUEST.has(status)) Error.captureStackTrace(error, apiError);
  return Object.assign(error, {
    code,
    causes: causes.map((errorSummary) => ({ errorSummary })),
    ...(type !== undefined && { type }),
    ...(headers !== undefined && { headers }),
    ...(cause !== undefined && { cause }),
  });
}

function withoutStack<T>(make: () => T): T {
  const limit = Error.stackTraceLimit;
  Reflect.set(Error, "stackTraceLimit", 0); // where intrinsics are frozen, an assignment would throw
  try {
    return make();
  } finally {
    Reflect.set(Error, "stackTraceLimit", limit);
  }
}
