export { apiError, type ApiError, compileApiError, type MakeApiError } from "./api-error.js";
export { classifyError, type FieldValue } from "./classify-error.js";
export { BUILT_IN, compileCatalogue, type CompiledCatalogue } from "./compile-catalogue.js";
export {
  type CatalogueEntry,
  ERROR_CATALOGUE,
  type ErrorCatalogue,
  type ErrorCause,
  type ErrorCode,
  type ErrorFacts,
  type ErrorObject,
  formatErrorObject,
} from "./error-catalogue.js";
export { createGuard, type Refusal } from "./guard.js";
export { compileErrorMap, type ErrorMap, type MappedError } from "./map-error.js";
export type { ErrorType } from "./error-type.js";
