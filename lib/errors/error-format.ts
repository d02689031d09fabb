import { optionError } from "../factory/index.js";
import { isLinkTarget, parseMediaType } from "../http/index.js";
import { classifyError, type FieldValue } from "./classify-error.js";
import type { CompiledCatalogue } from "./compile-catalogue.js";
import type { ErrorObject } from "./error-catalogue.js";
import { PROBLEM_TYPE, toErrorObject, toProblem, toProblemWithErrorObject } from "./problem.js";
import { freezeError, type Occurrence, type SentError } from "./sent-error.js";
import { compileStatus, type ErrorStatus } from "./status-option.js";

const JSON_UTF8 = "application/json; charset=utf-8";

/** A media type in characters that a header field can hold. */
const PRINTABLE_REGEXP = /^[\x20-\x7e]+$/;

/** What a function `format` returns. */
export interface FormattedError {
  /**
   * The media type of the body.
   *
   * @default "application/json; charset=utf-8"
   */
  readonly mediaType?: string;
  /** A string is sent as it is, any other value as JSON. */
  readonly body: unknown;
}

/** The form of the body of an error. A function gets what the client may learn, and the request. */
export type ErrorFormat<R> = "svc" | "problem" | ((error: SentError, req: R) => FormattedError);

/** How errors are sent. */
export interface ErrorFormatOptions<R> {
  /**
   * The form of the body: `"svc"`, the error object; `"problem"`, an RFC 9457 problem; or a function of the error, which
   * returns the body and its media type. When the function throws, or returns something that can't be sent, the body is the
   * error object, and the failure is logged.
   *
   * @default "svc"
   */
  format?: ErrorFormat<R>;

  /**
   * What the `type` of a problem begins with; the code follows. An absolute URL or path that ends with `/` or `#`.
   *
   * @default undefined: the type is "about:blank"
   */
  typeBase?: string;

  /**
   * The status of a code, where clients expect another one than the catalogue has: a table, or a function of the code. A 4xx
   * stays a 4xx, and a 5xx a 5xx. When the function throws, or returns anything else, the status is the one of the
   * catalogue, and the failure is logged. An error that has a status of its own keeps it.
   *
   * @default {}
   */
  status?: ErrorStatus;
}

export const FORMAT_OPTIONS: Record<keyof ErrorFormatOptions<unknown>, true> = {
  format: true,
  typeBase: true,
  status: true,
};

/** Fields that would be wrong for the bytes of the error object, no matter who set them. */
export const CODING_FIELDS: readonly string[] = [
  "Content-Digest",
  "Content-Encoding",
  "Content-MD5",
  "Repr-Digest",
  "Trailer",
  "Transfer-Encoding",
];

/** An error as it is sent. */
interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, FieldValue>>;
  readonly errorObject: ErrorObject;
  readonly mediaType: string;
  readonly body: string;
  /** Why `format` and `status` of the app failed. */
  readonly failures: readonly Error[];
}

/** What a client gets for `thrown`, which may be anything. Never throws. */
export type FormatError<R> = (
  thrown: unknown,
  occurrence: Occurrence & { readonly prefersProblem?: boolean },
  req: R,
) => ErrorResponse;

/**
 * Compile `format`, `typeBase` and `status`.
 *
 * @param mayBeProblem whether a client may ask for a problem in place of the error object
 * @throws {TypeError} when an option is of the wrong type or without effect
 */
export function compileErrorFormat<R>(
  factory: string,
  options: Readonly<ErrorFormatOptions<R>>,
  catalogue: CompiledCatalogue,
  mayBeProblem = false,
): FormatError<R> {
  const format = formatOption(factory, options.format);
  const typeBase = typeBaseOption(factory, options.typeBase, mayBeProblem || format === "problem");
  const statusOf = compileStatus(factory, options.status, catalogue);

  return function formatError(thrown, { prefersProblem = false, ...occurrence }, req) {
    const failures: Error[] = [];
    const classified = classifyError(thrown, catalogue);
    const { code, headers } = classified;
    const status = attempt("status", () => statusOf(code, classified.status)) ?? classified.status;
    const error = freezeError(classified, status, occurrence);
    const errorObject = toErrorObject(error);
    const formatted = attempt("format", () => render(error, req, prefersProblem));
    const { mediaType, body } = formatted ?? { mediaType: JSON_UTF8, body: JSON.stringify(errorObject) };
    return { status, headers, errorObject, mediaType, body, failures };

    function attempt<T>(option: string, action: () => T): T | undefined {
      try {
        return action();
      } catch (cause) {
        failures.push(new Error(`${factory}: \`${option}\` failed; the error was sent without it`, { cause }));
        return undefined;
      }
    }
  };

  function render(error: SentError, req: R, prefersProblem: boolean): { mediaType: string; body: string } {
    if (typeof format === "function") return read(format(error, req));
    if (format === "problem") return { mediaType: PROBLEM_TYPE, body: JSON.stringify(toProblem(error, typeBase)) };
    if (!prefersProblem) return { mediaType: JSON_UTF8, body: JSON.stringify(toErrorObject(error)) };
    return { mediaType: PROBLEM_TYPE, body: JSON.stringify(toProblemWithErrorObject(error, typeBase)) };
  }
}

function read(result: unknown): { mediaType: string; body: string } {
  settle(result);
  if (typeof result !== "object" || result === null) throw new TypeError("`format` must return { mediaType, body }");
  const { mediaType = JSON_UTF8, body } = result as FormattedError;
  settle(body);
  if (typeof mediaType !== "string" || !PRINTABLE_REGEXP.test(mediaType) || !parseMediaType(mediaType)) {
    throw new TypeError("`format` must return a media type, such as application/json");
  }
  const text = typeof body === "string" ? body : (JSON.stringify(body) as string | undefined);
  if (text === undefined) throw new TypeError("`format` must return a body that is text, or can be written as JSON");
  return { mediaType, body: text };
}

/** A promise that rejects would end the process. */
function settle(value: unknown): void {
  const then: unknown = (value as { then?: unknown } | null | undefined)?.then;
  if (typeof then !== "function") return;
  then.call(value, undefined, () => undefined);
  throw new TypeError("`format` must not return a promise");
}

function formatOption<R>(factory: string, value: ErrorFormat<R> = "svc"): ErrorFormat<R> {
  if (typeof value === "function" || ["svc", "problem"].includes(value)) return value;
  throw optionError(factory, "format", '"svc", "problem" or a function');
}

function typeBaseOption(factory: string, value: unknown, hasEffect: boolean): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || !isLinkTarget(value) || !/[/#]$/.test(value)) {
    throw optionError(factory, "typeBase", "an absolute http(s) URL or path that ends with / or #");
  }
  if (!hasEffect) throw optionError(factory, "typeBase", 'left out, or `format` be "problem"');
  return value;
}
