import { endOfString, readJson } from "./read-json.js";

/** What follows a name. */
const COLON_REGEXP = /[ \t\n\r]*:/y;

/**
 * `JSON.parse` that reads every name rightly. That of Node 24 and 26 searches the names of earlier objects for a name
 * before it decodes the escapes: after an object `{"a":1,"b\\":1}` it reads `{"a":1,"b\n":1}` as the same
 * (https://github.com/nodejs/node/issues/63785). So a text with an escape in a name is read here instead, in two to
 * four times the time. Any other costs a native search for a backslash, and a search for the end of each string with one. Not
 * needed any more when no supported version of Node has the fault.
 *
 * @throws {SyntaxError} when `text` is not JSON
 * @example
 * parseJson('{"a":1,"b\\n":1}'); // { a: 1, "b\n": 1 }
 */
export function parseJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  return hasEscapeInName(text) ? readJson(text) : value;
}

/** Whether a name in `text`, which must be JSON, has an escape. */
function hasEscapeInName(text: string): boolean {
  let escape = text.indexOf("\\");
  while (escape >= 0) {
    const end = endOfString(text, escape);
    COLON_REGEXP.lastIndex = end;
    if (COLON_REGEXP.test(text)) return true;
    escape = text.indexOf("\\", end);
  }
  return false;
}
