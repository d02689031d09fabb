import { compileApiError, type ErrorCode, type ErrorType, type MakeApiError } from "etiquette/api-error";

/** Which check of the server refused a request. Checks of the package have an `ErrorType`. */
type ServerErrorType =
  | "attribute.immutable"
  | "attribute.read-only"
  | "body.invalid"
  | "body.malformed"
  | "database.unavailable"
  | "host.unknown"
  | "logs.date"
  | "query.missing"
  | "resource.in-use"
  | "resource.unknown"
  | "rule.default"
  | "scope.exceeded"
  | "user.status";

/** The package's `apiError`, for the types of the server too. */
export const apiError: MakeApiError<ErrorCode, ErrorType | ServerErrorType> = compileApiError({});

export type ApiError = ReturnType<typeof apiError>;
