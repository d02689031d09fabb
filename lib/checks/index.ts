export { findFramingFault, hasBody } from "./body-framing.js";
export {
  findBodyDepthFault,
  findBodyTextFault,
  findCharsetFault,
  findInParameters,
  findJsonBodyTextFault,
  findParsedTextFault,
  maxDepthOption,
  type TextFinding,
  typeOfTextFault,
} from "./body-text.js";
export { findOrderFaults } from "./mount-order.js";
export { findExpectFault, findRequestFault, type RequestFault } from "./request-head.js";
export { findResponseFaults, type ResponseFault } from "./response-faults.js";
