export { compareCodePoints, countCodePoints, hasUnitOrder } from "./code-points.js";
export { decodeUtf8 } from "./decode-utf8.js";
export { formatDate, isDate, parseDate } from "./dates.js";
export { cutText, excerpt, formatPrintable } from "./excerpt.js";
export { compareInstants, type Instant, isCanonicalDate, parseInstant } from "./instant.js";
export { isToken, QUOTED_TEXT, SURROGATE, TOKEN, TOKEN_CHARACTERS } from "./grammar.js";
export { memoize } from "./memoize.js";
export {
  findEncodedTextFault,
  isEncodedAscii,
  findTextFault,
  formatCodePoint,
  formatTextFault,
  isSupportedText,
  type TextFault,
} from "./utf8.js";
