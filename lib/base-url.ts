import { optionError } from "./options.js";
import { isBaseUrl } from "./webfinger.js";

/**
 * The option `baseUrl`, what absolute URLs begin with: a text, or a function that finds it for each request in the
 * record of the org. It is checked either way.
 *
 * @throws {TypeError} here, or when it is asked for, unless it is an absolute https URL without user, trailing slash,
 *   query and fragment
 */
export function baseUrlOption<R>(factory: string, value: string | ((req: R) => string)): (req: R) => string {
  if (typeof value === "function") return (req) => check(value(req));
  const baseUrl = check(value);
  return () => baseUrl;

  function check(candidate: unknown): string {
    if (typeof candidate === "string" && isBaseUrl(candidate)) return candidate;
    const expected = "an absolute https URL without trailing slash or query, or a function that returns one";
    throw optionError(factory, "baseUrl", expected);
  }
}
