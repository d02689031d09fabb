import { parseUrl } from "./parse-url.js";

/**
 * Origins as browsers send them, RFC 6454 sections 6.2 and 7.1, without `null`.
 *
 * serialized-origin = scheme "://" host [ ":" port ]
 *
 * Browsers send lower case, names in other scripts as `xn--…`, and addresses in their shortest form (WHATWG URL, section
 * 3). URL parsers accept more characters in a host, such as `*`, but no page has such an origin.
 */
const ORIGIN_REGEXP = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::[0-9]+)?$/;

/**
 * The origin of `url` as a browser sends it: scheme, host, and the port unless it is the default of the scheme. Schemes
 * other than http and https are kept, as in the web views of mobile apps (`capacitor://localhost`). `undefined` when
 * `url` is not an absolute URL or has no host.
 *
 * @example
 * formatOrigin("https://App.example.com:443/page"); // "https://app.example.com"
 */
export function formatOrigin(url: string): string | undefined {
  const parsed = parseUrl(url);
  if (!parsed) return undefined;
  const { origin, protocol, host } = parsed;
  const text = origin === "null" ? `${protocol}//${host.toLowerCase()}` : origin;
  return ORIGIN_REGEXP.test(text) ? text : undefined;
}

/**
 * Whether `value` is one origin exactly as a browser sends it, so that origins can be compared as strings. `null` and
 * wildcards are not origins.
 *
 * @example
 * isOrigin("https://app.example.com"); // true
 * isOrigin("https://app.example.com/"); // false
 */
export function isOrigin(value: string): boolean {
  return formatOrigin(value) === value;
}
