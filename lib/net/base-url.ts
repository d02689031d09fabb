import { textPerRequestOption } from "../factory/index.js";
import { isLocalHost } from "./host.js";
import { parseUrl } from "./parse-url.js";
import { memoize } from "../text/index.js";

/** An http(s) URL without user information, query, fragment or trailing slash. */
const BASE_URL_REGEXP = /^(?<scheme>https?):\/\/(?<authority>[^\s/?#@\\]+)(?:\/[^\s?#\\]*[^\s?#\\/])?$/;

/** Whether `value` is an absolute https URL that a path can be appended to. `http:` is for the hosts of this machine. */
export const isBaseUrl: (value: string) => boolean = memoize((value) => {
  const { scheme, authority = "" } = BASE_URL_REGEXP.exec(value)?.groups ?? {};
  return scheme !== undefined && parseUrl(value) !== undefined && (scheme === "https" || isLocalHost(authority));
});

/**
 * Compile the option `baseUrl`, the start of every absolute URL: a string, or a function that returns one for each
 * request. A string is checked now, the result of a function at each call.
 *
 * @throws {TypeError} when the value is not an absolute https URL, or http of a loopback host, or has a user, a trailing
 *   slash, a query or a fragment
 */
export function baseUrlOption<R>(factory: string, value: string | ((req: R) => string)): (req: R) => string {
  const expected =
    "an absolute https URL (http only for localhost, 127.0.0.0/8 and [::1]) without user, trailing slash, query or fragment";
  return textPerRequestOption(factory, "baseUrl", value, isBaseUrl, expected);
}
