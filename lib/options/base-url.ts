import { memoize } from "./memoize.js";
import { textPerRequestOption } from "./options.js";

/** An https URL without user information, query, fragment or trailing slash. */
const BASE_URL_REGEXP = /^https:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*[^\s?#\\/])?$/;

/** Whether `value` is an absolute https URL that a path can be appended to. */
export const isBaseUrl: (value: string) => boolean = memoize(
  (value) => BASE_URL_REGEXP.test(value) && URL.canParse(value),
);

/**
 * Compile the option `baseUrl`, the start of every absolute URL: a string, or a function that returns one for each
 * request. A string is checked now, the result of a function at each call.
 *
 * @throws {TypeError} when the value is not an absolute https URL, or has a user, a trailing slash, a query or a fragment
 */
export function baseUrlOption<R>(factory: string, value: string | ((req: R) => string)): (req: R) => string {
  const expected = "an absolute https URL without user, trailing slash, query or fragment";
  return textPerRequestOption(factory, "baseUrl", value, isBaseUrl, expected);
}
