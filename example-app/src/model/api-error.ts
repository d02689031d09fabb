import { apiError } from "etiquette/api-error";
import type { ErrorCode, ErrorFacts } from "etiquette/error-catalogue";

/** An error of the catalogue, for `next()`; the error formatter answers with it. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly status: number;

  constructor(code: ErrorCode, { cause, ...facts }: ErrorFacts<string> = {}) {
    const { status, message, ...properties } = apiError(code, facts as ErrorFacts);
    const limit = Error.stackTraceLimit;
    // which line refused a request is told by its type; to find that out is most of what an error costs
    if (status < 500) Reflect.set(Error, "stackTraceLimit", 0);
    super(message, { cause });
    Reflect.set(Error, "stackTraceLimit", limit);
    Object.assign(this, properties);
    this.code = code;
    this.status = status;
  }
}
