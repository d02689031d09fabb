import type { ClassifiedError } from "./classify-error.js";
import type { ErrorCause } from "./error-cause.js";

/** What a client may learn of an error: what the option `format` is given, frozen. A 5xx has neither detail, causes nor type. */
export interface SentError {
  /** The status of the response, 400–599. */
  readonly status: number;
  /** A code of the suite, or one that the app added. */
  readonly code: string;
  /** Which check refused the request: `"media-type.unsupported"`. */
  readonly type: string | undefined;
  /** The summary of the code, the same for all errors with this code. */
  readonly title: string;
  /** The summary, with `detail` filled in. */
  readonly summary: string;
  readonly detail: string | undefined;
  /** One for each field or reason; empty when there are none. */
  readonly causes: readonly ErrorCause[];
  /** The id of the request. */
  readonly id: string;
  /** The seconds in `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** The header fields that the error brings, such as `Allow`. */
  readonly headers: Readonly<Record<string, string | number | readonly string[]>>;
  /** Whether summary and causes are those of the error: true for most 4xx, false for a 5xx. */
  readonly expose: boolean;
  /** The media type that `contentType()` selected for the response. */
  readonly negotiatedType: string | undefined;
}

/** What only the request and the response know. */
export interface Occurrence {
  readonly id: string;
  /** The `Retry-After` that the response has already. */
  readonly retryAfter: unknown;
  readonly negotiatedType: string | undefined;
}

/** Freeze what a client may learn of an error. */
export function freezeError(error: ClassifiedError, status: number, { id, ...occurrence }: Occurrence): SentError {
  const { code, type, title, summary, detail, causes, headers, expose } = error;
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === "retry-after")?.[1];
  return Object.freeze({
    status,
    code,
    type,
    title,
    summary,
    detail,
    causes: Object.freeze(causes.map((cause) => Object.freeze({ ...cause }))),
    id,
    retryAfter: readSeconds(own ?? occurrence.retryAfter),
    headers: Object.freeze(
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? Object.freeze([...value]) : value,
        ]),
      ),
    ),
    expose,
    negotiatedType: occurrence.negotiatedType,
  });
}

/** `undefined` for a date (RFC 9110 section 10.2.3). */
function readSeconds(value: unknown): number | undefined {
  return /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined;
}
