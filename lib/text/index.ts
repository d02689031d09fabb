export { formatDate, isDate, parseDate } from "./dates.js";
export { excerpt } from "./excerpt.js";
export { findEncodedTextFault, findTextFault, formatCodePoint, formatTextFault, type TextFault } from "./utf8.js";
