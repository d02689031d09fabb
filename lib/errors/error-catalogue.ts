import type { ErrorCause, PlacedCause } from "./error-cause.js";
import type { ErrorType } from "./error-type.js";

export type { ErrorCause } from "./error-cause.js";

/** The status and the summary of one code. */
export interface CatalogueEntry {
  /** 400–599 */
  readonly status: number;
  /** One sentence for the client; `{0}` stands for the `detail` of the error. */
  readonly summary: string;
}

/**
 * Every code that the suite sends (rule E3). A code never changes its meaning. Codes from `E0009000` are the suite's own,
 * for statuses without a code in other APIs of this family.
 */
export const ERROR_CATALOGUE = {
  E0000001: { status: 400, summary: "Api validation failed: {0}" },
  E0000003: { status: 400, summary: "The request body was not well-formed." },
  E0000004: { status: 401, summary: "Authentication failed" },
  E0000006: { status: 403, summary: "You do not have permission to perform the requested action" },
  E0000007: { status: 404, summary: "Not found: {0}" },
  E0000008: { status: 404, summary: "The requested path was not found" },
  E0000009: { status: 500, summary: "Internal Server Error" },
  E0000011: { status: 401, summary: "Invalid token provided" },
  E0000016: { status: 403, summary: "Activation failed because the user is already active" },
  E0000018: { status: 400, summary: "Bad request. Accept and/or Content-Type headers are likely not set." },
  E0000021: {
    status: 415,
    summary: "Bad request. Accept and/or Content-Type headers likely do not match supported values.",
  },
  E0000022: { status: 405, summary: "The endpoint does not support the provided HTTP method" },
  E0000028: { status: 400, summary: "The request is missing a required parameter." },
  E0000029: { status: 400, summary: "Invalid paging request." },
  E0000030: {
    status: 400,
    summary: "Bad request. Invalid date. Dates must be of the form YYYY-MM-DDTHH:mm:ss.SSSZ.",
  },
  E0000031: { status: 400, summary: "Invalid search criteria." },
  E0000033: {
    status: 400,
    summary: "Bad request. Can't specify a search query and filter in the same request.",
  },
  E0000037: { status: 400, summary: "Type mismatch exception. {0}" },
  E0000038: { status: 403, summary: "This operation is not allowed in the user's current status." },
  E0000047: { status: 429, summary: "API call exceeded rate limit due to too many requests." },
  E0000063: { status: 400, summary: "Invalid combination of parameters specified." },
  E0000077: { status: 403, summary: "Cannot modify the {0} attribute because it is read-only." },
  E0000078: { status: 403, summary: "Cannot modify the {0} attribute because it is immutable." },
  E0000094: { status: 400, summary: "The provided filter is unsupported." },
  E0000122: { status: 406, summary: "Accept Header did not contain supported media type '{0}'" },
  E0000195: { status: 409, summary: "Api validation failed due to conflict: {0}" },
  E0000212: { status: 403, summary: "Origin validation failed." },
  E0000215: { status: 410, summary: "This endpoint has been deprecated." },
  E0000231: { status: 412, summary: "ETag value doesn't match." },
  E0000242: { status: 400, summary: "ETag syntax is invalid." },
  E0000256: { status: 414, summary: "This request produced a response with a header too large to be processed." },
  E0009000: { status: 400, summary: "Bad request." },
  E0009001: { status: 408, summary: "The request did not arrive in time." },
  E0009002: { status: 411, summary: "The request has neither a Content-Length nor a Transfer-Encoding." },
  E0009003: { status: 413, summary: "The request body is too large." },
  E0009004: { status: 414, summary: "The request target is too long." },
  E0009005: { status: 417, summary: "The expectation in the Expect header can't be met." },
  E0009006: { status: 422, summary: "The request is well-formed but can't be processed." },
  E0009007: { status: 426, summary: "This server does not upgrade to the requested protocol." },
  E0009008: { status: 428, summary: "The request must be conditional: send If-Match." },
  E0009009: { status: 431, summary: "The request header is too large." },
  E0009010: { status: 501, summary: "The server does not support what the request needs." },
  E0009011: { status: 503, summary: "The service is unavailable. Try again later." },
  E0009012: { status: 505, summary: "The HTTP version is not supported." },
} as const;

/** A code of the suite, such as `"E0000001"`. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/**
 * The codes that an app adds, of 1–64 characters of `A–Z a–z 0–9 _ . -` each. It can't redefine a code of the suite.
 *
 * @example
 * const CATALOGUE = { ORDER0001: { status: 409, summary: "The order can't be changed any more: {0}" } };
 */
export type ErrorCatalogue<Code extends string = string> = Readonly<Record<Code, CatalogueEntry>>;

/** The error object (rule E1), the body of every failure. */
export interface ErrorObject {
  /** An {@link ErrorCode}, or a code that the app added. */
  readonly errorCode: string;
  readonly errorSummary: string;
  /** The same value as `errorCode`. */
  readonly errorLink: string;
  /** The id of the request. */
  readonly errorId: string;
  /** One for each field or reason; empty when there are none. */
  readonly errorCauses: readonly ErrorCause[];
}

/** The facts of one error, all optional. */
export interface ErrorFacts<Type extends string = ErrorType> {
  /** Replaces `{0}` in the summary. Without it the placeholder is left out. */
  detail?: string;
  /** One sentence for each field or reason, or a sentence and the place that it is about. */
  causes?: readonly (string | PlacedCause)[];
  /** Which check refused the request: `"media-type.unsupported"`. */
  type?: Type;
  /** Header fields for the response, such as `Allow`. */
  headers?: Readonly<Record<string, string>>;
  /** The value that was thrown before, for the log. Clients never see it. */
  cause?: unknown;
}

/**
 * Make the error object (rule E1), the body of an error response.
 *
 * @example
 * formatErrorObject("E0000008", { id: "req-1", summary: "The requested path was not found", causes: [] });
 * // { errorCode: "E0000008", errorSummary: "The requested…", errorLink: "E0000008", errorId: "req-1", errorCauses: [] }
 */
export function formatErrorObject(
  code: string,
  { id, summary, causes }: Readonly<{ id: string; summary: string; causes: readonly ErrorCause[] }>,
): ErrorObject {
  const errorCauses = causes.map(({ detail: _, ...cause }) => cause);
  return { errorCode: code, errorSummary: summary, errorLink: code, errorId: id, errorCauses };
}
