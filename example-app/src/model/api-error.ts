import { compileApiError, type ErrorCode, type ErrorType, type MakeApiError } from "etiquette/api-error";

/** The server's own checks that refuse requests. For the package's checks see `ErrorType`. */
type ServerErrorType =
  | "attribute.immutable"
  | "attribute.read-only"
  | "body.invalid"
  | "body.malformed"
  | "database.unavailable"
  | "host.unknown"
  | "logs.date"
  | "metadata.unusable"
  | "record.changed"
  | "query.missing"
  | "quota.exceeded"
  | "resource.in-use"
  | "resource.unknown"
  | "responses.unread"
  | "revision.conflict"
  | "rule.default"
  | "scope.exceeded"
  | "server.overloaded"
  | "session.code"
  | "session.origin"
  | "token.revoked"
  | "user.status";

/** The package's `apiError`, extended with the types of the server. */
export const apiError: MakeApiError<ErrorCode, ErrorType | ServerErrorType> = compileApiError({});

export type ApiError = ReturnType<typeof apiError>;
