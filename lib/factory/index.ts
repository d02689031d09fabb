export { createWarning, isDevelopment } from "./development.js";
export { isPromise } from "./is-promise.js";
export {
  ENDED,
  type ErrorMiddleware,
  fromStep,
  inTurn,
  type Middleware,
  type NothingElse,
  passErrorOn,
  passOn,
  SUITE_GUARDS,
} from "./middleware.js";
export { compileNamespace, DEFAULT_NAMESPACE, type Namespace } from "./namespace.js";
export {
  assertKnownOptions,
  booleanOption,
  fieldNameOption,
  fieldNamesOption,
  fieldValueOption,
  functionOption,
  integerOption,
  maxBytesPerCharacterOption,
  optionError,
  stringOption,
  stringsOption,
  textPerRequestOption,
} from "./options.js";
export { recordOf } from "./request-record.js";
export { createRequestSlot, type RequestSlot } from "./request-slot.js";
