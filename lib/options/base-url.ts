import { memoize } from "./memoize.js";
import { textPerRequestOption } from "./options.js";

/** An https URL without user information, query, fragment and trailing slash. */
const BASE_URL_REGEXP = /^https:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*[^\s?#\\/])?$/;

/** Whether `value` is an absolute https URL that a path can be appended to. */
export const isBaseUrl: (value: string) => boolean = memoize(
  (value) => BASE_URL_REGEXP.test(value) && URL.canParse(value),
);

/**
 * The option `baseUrl`, what absolute URLs begin with: a text, or a function that finds it for each request in the
 * record of the org. It is checked either way.
 *
 * @throws {TypeError} here, or when it is asked for, unless it is an absolute https URL without user, trailing slash,
 *   query and fragment
 */
export function baseUrlOption<R>(factory: string, value: string | ((req: R) => string)): (req: R) => string {
  const expected = "an absolute https URL without user, trailing slash, query or fragment";
  return textPerRequestOption(factory, "baseUrl", value, isBaseUrl, expected);
}
