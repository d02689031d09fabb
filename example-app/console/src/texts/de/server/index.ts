export { faults } from "./faults.js";
export { files } from "./files.js";
export { metadata } from "./metadata.js";
export { pieces } from "./pieces.js";
export { refusals } from "./refusals.js";
