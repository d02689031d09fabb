export { type BigInteger, findBigInteger, isBigInteger } from "./big-integer.js";
export { formatCanonical } from "./canonical-text.js";
export { findExcess, findJsonTextFault, formatPlace, type JsonTextLimits, locatePointer } from "./json-bytes.js";
export {
  applyJsonPatch,
  JSON_PATCH_TYPE,
  type JsonPatch,
  type JsonPatchOperation,
  parseJsonPatch,
  PatchError,
  type PatchFaultReason,
} from "./json-patch.js";
export { toJsonForm } from "./json-form.js";
export { formatPointer, parsePointer, readPointer } from "./json-pointer.js";
export { findJsonSyntaxFault, formatJsonSyntaxFault } from "./json-syntax.js";
export { findForbiddenText, type ForbiddenTextOptions } from "./json-text.js";
export { findExceededLimit, isJsonEqual, isObject, type JsonLimits } from "./json-value.js";
export { applyMergePatch, MERGE_PATCH_TYPE } from "./merge-patch.js";
export { omitNull } from "./omit-null.js";
export { parseJson } from "./parse-json.js";
export { readJson } from "./read-json.js";
export { DEFAULT_MAX_STEPS } from "./patch-steps.js";
