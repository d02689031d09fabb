import { isIPv4, isIPv6 } from "node:net";

/**
 * The Host field, RFC 9110 section 7.2: the authority of RFC 3986 section 3.2 without userinfo.
 *
 * Host       = uri-host [ ":" port ]
 * uri-host   = IP-literal / IPv4address / reg-name
 * IP-literal = "[" IPv6address "]"
 * reg-name   = *( unreserved / pct-encoded / sub-delims )
 * port       = *DIGIT
 *
 * This code is narrower in three points: the name can't be empty (RFC 9110 section 4.2.1: a recipient rejects an http
 * URI with an empty host), an address of a future IP version is refused (none exists), and the port has at most five
 * digits.
 */
const HOST_REGEXP =
  /^(?:\[(?<address>[0-9A-Fa-f:.]+)\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+)(?::(?<port>[0-9]{0,5}))?$/;

/** RFC 3986 section 3.2.2 allows 255 characters for a name; the longest port comes on top. */
const MAX_HOST_LENGTH = 255 + ":65535".length;

const MAX_PORT = 65_535;

/** Names that always resolve to the machine itself, RFC 6761 section 6.3. */
const LOCAL_NAME_REGEXP = /^(?:[a-z0-9_-]+\.)*localhost\.?$/i;

/** absolute-form = scheme "://" authority …, RFC 9112 section 3.2.2. */
const ABSOLUTE_FORM_REGEXP = /^(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):\/\/(?<authority>[^/?#]*)/;

/** The scheme and the authority of a request target in absolute form. */
export interface AbsoluteForm {
  /** In lower case. */
  readonly scheme: string;
  /** As sent, perhaps empty. */
  readonly authority: string;
}

/** Whether `value` is a host with an optional port, of at most 261 characters. */
export function isHost(value: string): boolean {
  if (value.length > MAX_HOST_LENGTH) return false;
  const groups = HOST_REGEXP.exec(value)?.groups;
  if (groups === undefined) return false;
  const { address, port } = groups;
  return (address === undefined || isIPv6(address)) && (port === undefined || Number(port) <= MAX_PORT);
}

/**
 * Whether `value` is a host, with an optional port, that Secure Contexts section 3.1 trusts over plain HTTP: `localhost`,
 * a name below it, an address of `127.0.0.0/8` or `[::1]`, written as a browser writes it.
 */
export function isLocalHost(value: string): boolean {
  if (!isHost(value)) return false;
  const host = value.replace(/:[0-9]*$/, "");
  return host === "[::1]" || LOCAL_NAME_REGEXP.test(host) || (host.startsWith("127.") && isIPv4(host));
}

/** The scheme and authority of a request target in absolute form, `undefined` for another form. */
export function parseAbsoluteForm(target: string): AbsoluteForm | undefined {
  const groups = ABSOLUTE_FORM_REGEXP.exec(target)?.groups;
  if (groups === undefined) return undefined;
  const { scheme = "", authority = "" } = groups;
  return { scheme: scheme.toLowerCase(), authority };
}
