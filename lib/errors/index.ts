export { apiError, type ApiError, compileApiError, type MakeApiError } from "./api-error.js";
export type { FieldValue } from "./classify-error.js";
export { BUILT_IN, compileCatalogue, type CompiledCatalogue } from "./compile-catalogue.js";
export {
  type CatalogueEntry,
  ERROR_CATALOGUE,
  type ErrorCatalogue,
  type ErrorCode,
  type ErrorFacts,
  type ErrorObject,
  formatErrorObject,
} from "./error-catalogue.js";
export { type ErrorCause, formatMessage, type PlacedCause } from "./error-cause.js";
export {
  CODING_FIELDS,
  compileErrorFormat,
  type ErrorFormat,
  type ErrorFormatOptions,
  type FormatError,
  FORMAT_OPTIONS,
  type FormattedError,
} from "./error-format.js";
export { type ErrorResponse, formatError } from "./format-error.js";
export { createGuard, type Refusal } from "./guard.js";
export { causeInBody, causeInParameters, fieldsOf, type Issue, MAX_ISSUES } from "./issues.js";
export {
  jwtErrors,
  type LibraryErrors,
  multerErrors,
  pgErrors,
  prismaErrors,
  sqliteErrors,
  zodErrors,
} from "./library-errors.js";
export { compileErrorMap, type ErrorMap, type MappedError } from "./map-error.js";
export type { ErrorType } from "./error-type.js";
export { PROBLEM_TYPE } from "./problem.js";
export { refuseResponse } from "./refuse-response.js";
export type { SentError } from "./sent-error.js";
export type { SchemaResult, StandardSchema } from "./standard-schema.js";
export type { ErrorStatus } from "./status-option.js";
export { withoutStack } from "./without-stack.js";
