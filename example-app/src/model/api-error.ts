import { compileApiError, type ErrorCode, type ErrorType, type MakeApiError } from "etiquette/api-error";

/** The codes that only this server sends. */
export const SERVER_CATALOGUE = {
  E0009101: { status: 409, summary: "The change would make another rule unreachable." },
  E0009102: { status: 409, summary: "The change would make a routing test fail." },
} as const;

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
  | "routing-test.failing"
  | "rule.shadowing"
  | "scope.exceeded"
  | "server.overloaded"
  | "session.code"
  | "session.origin"
  | "token.revoked"
  | "user.status";

/** The package's `apiError`, extended with the codes and types of the server. */
export const apiError: MakeApiError<ErrorCode | keyof typeof SERVER_CATALOGUE, ErrorType | ServerErrorType> =
  compileApiError(SERVER_CATALOGUE);

export type ApiError = ReturnType<typeof apiError>;
