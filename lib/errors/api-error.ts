import createError from "http-errors";
import { ERROR_CATALOGUE, formatSummary, type ErrorCause, type ErrorCode, type ErrorFacts } from "./error-catalogue.js";

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
  /** Dotted, for programs: `"media-type.unsupported"`. */
  readonly type?: string;
  /** Fields for the response, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Make an error of the catalogue, for `next()` or `throw`. `errorFormatter()` sends it.
 *
 * A 4xx has no stack trace: capturing one is most of what an error costs, and `type` and the causes say what was
 * refused. A 5xx has one.
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
  if (status >= 500) Error.captureStackTrace(error, apiError);
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
