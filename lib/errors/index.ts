export { classifyError, type FieldValue } from "./classify-error.js";
export {
  type CatalogueEntry,
  clientError,
  ERROR_CATALOGUE,
  type ErrorArguments,
  type ErrorCause,
  type ErrorCode,
  type ErrorFacts,
  type ErrorObject,
  type ErrorProperties,
  formatErrorObject,
  fromCatalogue,
  isErrorCode,
} from "./error-catalogue.js";
