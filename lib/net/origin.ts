/**
 * Origins as browsers send them, RFC 6454 sections 6.2 and 7.1, without `null`.
 *
 * serialized-origin = scheme "://" host [ ":" port ]
 *
 * In lower case; a name in other scripts as `xn--…`, an address in its shortest form (WHATWG URL, section 3). URL parsers
 * let a host hold more, `*` among it; no page has such an origin.
 */
const ORIGIN_REGEXP = /^[a-z][a-z0-9+.-]*:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::[0-9]+)?$/;

/**
 * The origin of `url` as a browser sends it: scheme, host, and a port other than the scheme's own. Schemes other than
 * http and https keep theirs, as the web views of mobile apps do (`capacitor://localhost`). `undefined` for what is no
 * absolute URL and for one without a host.
 */
export function formatOrigin(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, protocol, host } = new URL(url);
  const text = origin === "null" ? `${protocol}//${host.toLowerCase()}` : origin;
  return ORIGIN_REGEXP.test(text) ? text : undefined;
}

/**
 * Whether `value` is one origin exactly as a browser sends it, so that origins can be compared as texts. `null` and
 * wildcards are none.
 */
export function isOrigin(value: string): boolean {
  return formatOrigin(value) === value;
}
