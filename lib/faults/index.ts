export { findFramingFault, hasBody, isBodyRead } from "./body-framing.js";
export {
  findBodyExcess,
  findBodyTextFault,
  findCharsetFault,
  findInParameters,
  findParsedTextFault,
  jsonLimitsOptions,
  maxDepthOption,
  type TextFinding,
  typeOfTextFault,
} from "./body-text.js";
export { bigIntegerOption, findRoundedInteger, parseJsonBody } from "./json-body.js";
export { findProtectedChange, protectedAttributesOption } from "./protected-attributes.js";
export { compileBodyReader } from "./read-body.js";
export { findExpectFault, findRequestFault, type RequestFault } from "./request-head.js";
export { findResponseFaults, RESPONSE_RULES, type ResponseFault, type ResponseRule } from "./response-faults.js";
