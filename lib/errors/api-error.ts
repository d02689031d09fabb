import createError from "http-errors";
import { isDevelopment } from "../factory/index.js";
import { compileCatalogue } from "./compile-catalogue.js";
import type { ErrorCatalogue, ErrorCode, ErrorFacts } from "./error-catalogue.js";
import { type ErrorCause, formatCause, formatMessage, type PlacedCause } from "./error-cause.js";
import type { ErrorType } from "./error-type.js";
import { formatSummary } from "./summary.js";
import { withoutStack } from "./without-stack.js";

export type { ErrorCatalogue, ErrorCause, ErrorCode, ErrorFacts, ErrorType, PlacedCause };

/** The 5xx that the request causes, not a fault of the server: an unsupported method, coding or HTTP version. */
const CAUSED_BY_REQUEST: ReadonlySet<number> = new Set([501, 505]);

/** Body parsers put the body on the error that `verify` throws. Logs print every member that is enumerable. */
const HIDDEN: PropertyDescriptor = { value: undefined, writable: true, configurable: true, enumerable: false };

/**
 * An error with a code of the catalogue. `isHttpError` of http-errors returns true for it. Its `message` has the summary and
 * the first three causes.
 */
export interface ApiError<Code extends string = ErrorCode, Type extends string = ErrorType> extends Error {
  /** 400–599 */
  readonly status: number;
  /** The same value as `status`. */
  readonly statusCode: number;
  /** Whether the client may read the message: true for a 4xx. */
  readonly expose: boolean;
  readonly code: Code;
  /** The sentence of the catalogue, with `detail` filled in. */
  readonly summary: string;
  readonly detail?: string;
  /** The reasons; empty when there are none. */
  readonly causes: readonly ErrorCause[];
  /** Which check refused the request: `"media-type.unsupported"`. */
  readonly type?: Type;
  /** Header fields for the response, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A function that makes an error, for `next()` or `throw`. */
export type MakeApiError<Code extends string = ErrorCode, Type extends string = ErrorType> = (
  code: Code,
  facts?: Readonly<ErrorFacts<Type>>,
) => ApiError<Code, Type>;

/**
 * Make an error of the catalogue, for `next()` or `throw`. `errorFormatter()` sends it.
 *
 * An error that the request caused (a 4xx, 501 or 505) has a stack trace in development only: capturing one is most of the
 * cost of an error, and `type` and the causes say what was refused. Any other 5xx has a stack trace.
 *
 * @throws {TypeError} when `code` is not in the catalogue
 * @example
 * next(apiError("E0000007", { detail: "Resource not found: 42 (Order)" }));
 */
export const apiError: MakeApiError = compileApiError({});

/**
 * Make an {@link apiError} for the codes of the suite and of `catalogue`. It accepts any string as `type`. Give
 * `errorFormatter()` the same catalogue.
 *
 * @throws {TypeError} when a code is not 1–64 characters of `A–Z a–z 0–9 _ . -` or is a code of the suite, a status is
 *   not an integer from 400 to 599, or a summary is empty
 * @example
 * const CATALOGUE = { ORDER0001: { status: 409, summary: "The order can't be changed any more: {0}" } };
 * const apiError = compileApiError(CATALOGUE);
 * next(apiError("ORDER0001", { detail: "shipped" }));
 */
export function compileApiError<Own extends string, Type extends string = string>(
  catalogue: ErrorCatalogue<Own>,
): MakeApiError<ErrorCode | Own, Type> {
  const entries = compileCatalogue("compileApiError", catalogue);
  const isTraced = isDevelopment(); // an error that nobody catches ends the process: its author looks for the line

  return function apiError(code, facts = {}) {
    const entry = entries.get(code);
    if (!entry) throw new TypeError(`apiError: the catalogue has no code ${code}`);
    const { status, summary } = entry;
    const { detail, causes = [], type, headers, cause } = facts;
    const told = { summary: formatSummary(summary, detail), causes: causes.map(formatCause) };
    const error = withoutStack(() => createError(status, formatMessage(told.summary, told.causes)));
    if (isTraced || (status >= 500 && !CAUSED_BY_REQUEST.has(status))) Error.captureStackTrace(error, apiError);
    Object.defineProperty(error, "body", HIDDEN);
    return Object.assign(error, {
      code,
      ...told,
      ...(detail !== undefined && { detail }),
      ...(type !== undefined && { type }),
      ...(headers !== undefined && { headers }),
      ...(cause !== undefined && { cause }),
    });
  };
}
