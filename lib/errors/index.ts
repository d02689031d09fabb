export { apiError, type ApiError } from "./api-error.js";
export { classifyError, type FieldValue } from "./classify-error.js";
export {
  type CatalogueEntry,
  ERROR_CATALOGUE,
  type ErrorCause,
  type ErrorCode,
  type ErrorFacts,
  type ErrorObject,
  formatErrorObject,
  isErrorCode,
} from "./error-catalogue.js";
export type { ErrorType } from "./error-type.js";
