export { findFramingFault, hasBody } from "./body-framing.js";
export {
  findBodyExcess,
  findBodyTextFault,
  findCharsetFault,
  findInParameters,
  findJsonBodyTextFault,
  findParsedTextFault,
  jsonLimitsOptions,
  maxDepthOption,
  type TextFinding,
  typeOfTextFault,
} from "./body-text.js";
export { findProtectedChange, protectedAttributesOption } from "./protected-attributes.js";
export { findExpectFault, findRequestFault, type RequestFault } from "./request-head.js";
export { findResponseFaults, type ResponseFault } from "./response-faults.js";
