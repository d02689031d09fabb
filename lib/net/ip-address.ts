/**
 * IP addresses in text.
 *
 * IPv4 is a dotted quad without leading zeros, as RFC 3986 section 3.2.2 has it: no `127.1`, `0x7f.1`, `0177.0.0.1` or
 * `2130706433`, which some readers take for an address and others do not. IPv6 is any form of RFC 4291 section 2.2, with
 * or without a zone id (RFC 4007 section 11), which names an interface of the node that wrote it and is dropped.
 *
 * IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet
 * dec-octet   = "0" / ( %x31-39 0*2DIGIT ), at most 255
 * IPv6address = eight of h16 between colons; one "::" stands for one or more of zero, and an IPv4address for the last two
 * h16         = 1*4HEXDIG
 * zone        = "%" 1*64( ALPHA / DIGIT / "-" / "." / "_" / "~" / ":" )
 */
const ZONE_REGEXP = /^[A-Za-z0-9._~:-]{1,64}$/;

/**
 * nodename with node-port, RFC 7239 section 6.
 *
 * node     = ( IPv4address / "[" IPv6address "]" ) [ ":" ( port / obfport ) ]
 * port     = 1*5DIGIT
 * obfport  = "_" 1*( ALPHA / DIGIT / "." / "_" / "-" )
 */
const NODE_REGEXP = /^(?:([0-9.]+)|\[([^\]]+)\])(?::(?:[0-9]{1,5}|_[A-Za-z0-9._-]+))?$/;

/** The third word of an IPv4-mapped address, `::ffff:0:0/96` (RFC 4291 section 2.5.5.2). */
const MAPPED = 0xffff;

const QUOTE = 0x22;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const BRACKET = 0x5b;

/** The value of each HEXDIG, by code; -1 for the rest of ASCII. */
const HEX_DIGITS = new Int8Array(128).fill(-1);
for (const digit of "0123456789abcdefABCDEF") HEX_DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/**
 * An address as four unsigned 32-bit words, the first the most significant. IPv4 is held as IPv4-mapped IPv6, so that
 * `192.0.2.1` and `::ffff:192.0.2.1` are one address; see {@link isIPv4}.
 */
export type IpAddress = readonly [number, number, number, number];

/** The address that `text` is, whole; `undefined` when it is none. Takes neither port, brackets nor white space. */
export function parseIpAddress(text: string): IpAddress | undefined {
  const value = parseIPv4(text);
  return value >= 0 ? [0, 0, MAPPED, value] : parseIPv6(text);
}

/**
 * The address of one element of `X-Forwarded-For`, or of a node of `Forwarded`: an address, bare or in brackets, with or
 * without a port, the whole in quotes or not. `undefined` for anything else, such as `unknown` and obfuscated
 * identifiers. A bare IPv6 address has no port: `2001:db8::1:443` is an address that ends in `443`.
 */
export function parseHop(text: string): IpAddress | undefined {
  const last = text.length - 1;
  const quoted = last > 0 && text.charCodeAt(0) === QUOTE && text.charCodeAt(last) === QUOTE;
  const node = quoted ? text.slice(1, last) : text;
  if (node.charCodeAt(0) !== BRACKET) {
    const address = parseIpAddress(node);
    if (address) return address;
  }

  const [, ipv4, bracketed] = NODE_REGEXP.exec(node) ?? [];
  if (ipv4 !== undefined) return parseIpAddress(ipv4);
  return bracketed?.includes(":") ? parseIpAddress(bracketed) : undefined;
}

/** Whether `address` is IPv4, written as such or IPv4-mapped. */
export function isIPv4(address: IpAddress): boolean {
  return address[2] === MAPPED && address[1] === 0 && address[0] === 0;
}

/** The one text for `address`: a dotted quad for IPv4, the form of RFC 5952 section 4 for IPv6. */
export function formatIpAddress(address: IpAddress): string {
  if (isIPv4(address)) {
    const value = address[3];
    return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
  }

  const groups: number[] = [];
  for (const word of address) groups.push(word >>> 16, word & 0xffff);
  const [start, end] = longestZeroRun(groups);
  let text = "";
  for (let index = 0; index < 8; index++) {
    if (index === start) {
      text += "::";
      index = end - 1;
    } else {
      text += (index === 0 || index === end ? "" : ":") + (groups[index] ?? 0).toString(16);
    }
  }
  return text;
}

/** The IPv4 address that `text` is from `start` on, as an unsigned 32-bit integer; -1 when it is none. */
export function parseIPv4(text: string, start = 0): number {
  let value = 0;
  let octet = -1;
  let dots = 0;
  for (let position = start; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === DOT) {
      if (octet < 0) return -1;
      value = value * 256 + octet;
      octet = -1;
      if (++dots > 3) return -1;
    } else {
      const digit = code - ZERO;
      if (digit < 0 || digit > 9 || octet === 0) return -1;
      octet = octet < 0 ? digit : octet * 10 + digit;
      if (octet > 255) return -1;
    }
  }
  return dots === 3 && octet >= 0 ? value * 256 + octet : -1;
}

/** The groups of the address that is being read: one array for all, since a new one would cost as much as the reading. */
const groups = new Uint16Array(8);

/** The IPv6 address that `text` is, perhaps IPv4-mapped; `undefined` when it is none. */
export function parseIPv6(text: string): IpAddress | undefined {
  return parseGroups(text) ?? parseZoned(text);
}

/** The same without the zone id, which hardly any address has. */
function parseZoned(text: string): IpAddress | undefined {
  const percent = text.indexOf("%");
  const hasZone = percent >= 0 && ZONE_REGEXP.test(text.slice(percent + 1));
  return hasZone ? parseGroups(text.slice(0, percent)) : undefined;
}

function parseGroups(text: string): IpAddress | undefined {
  let count = 0;
  let gap = -1; // how many groups stand before the "::"
  let group = 0;
  let digits = 0;
  for (let position = text.startsWith("::") ? 1 : 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    const digit = HEX_DIGITS[code] ?? -1;
    if (digit >= 0) {
      if (++digits > 4) return undefined;
      group = group * 16 + digit;
    } else if (code === COLON && digits > 0) {
      groups[count++] = group;
      group = 0;
      digits = 0;
    } else if (code === COLON && position > 0 && gap < 0) {
      gap = count;
    } else if (code === DOT) {
      const value = parseIPv4(text, position - digits);
      if (value < 0) return undefined;
      groups[count++] = value >>> 16;
      group = value & 0xffff;
      break;
    } else {
      return undefined;
    }
  }

  if (digits > 0) groups[count++] = group;
  else if (gap !== count) return undefined; // ends in a single colon
  if (gap < 0 ? count !== 8 : count > 7) return undefined;
  if (gap >= 0) {
    for (let to = 7; to >= gap; to--) groups[to] = count > gap ? (groups[--count] ?? 0) : 0;
  }
  return [wordAt(0), wordAt(2), wordAt(4), wordAt(6)];
}

function wordAt(index: number): number {
  return (groups[index] ?? 0) * 0x10000 + (groups[index + 1] ?? 0);
}

/**
 * Start and end of the run of zeros that "::" stands for: not for a single group (RFC 5952 section 4.2.2), the longest,
 * of equals the first (section 4.2.3). Both are -1 when there is none.
 */
function longestZeroRun(groups: readonly number[]): [start: number, end: number] {
  let start = -1;
  let end = -1;
  for (let from = 0; from < 8; from++) {
    let to = from;
    while (groups[to] === 0) to++;
    if (to - from > Math.max(1, end - start)) {
      start = from;
      end = to;
    }
    from = to;
  }
  return [start, end];
}
