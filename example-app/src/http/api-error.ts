import { fromCatalogue, type ErrorCode, type ErrorFacts } from "etiquette/error-catalogue";

/** An error of the catalogue, for `next()`; the error formatter answers with it. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly status: number;

  constructor(code: ErrorCode, { cause, ...facts }: ErrorFacts & { cause?: unknown } = {}) {
    const [status, message, properties] = fromCatalogue(code, facts);
    super(message, { cause });
    Object.assign(this, properties);
    this.code = code;
    this.status = status;
  }
}
