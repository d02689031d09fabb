/**
 * IP addresses in text.
 *
 * IPv4 is a dotted quad without leading zeros, RFC 3986 section 3.2.2. `127.1`, `0x7f.1`, `0177.0.0.1` and `2130706433`
 * are refused, because parsers disagree about them. IPv6 is any form of RFC 4291 section 2.2, with or without a zone id
 * (RFC 4007 section 11). The zone id is dropped: it names an interface of the node that wrote the address.
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
 * An address as four unsigned 32-bit words, the most significant first. An IPv4 address is stored as IPv4-mapped IPv6, so
 * that `192.0.2.1` and `::ffff:192.0.2.1` are equal; see {@link isIPv4}.
 */
export type IpAddress = readonly [number, number, number, number];

/** Parse `text` as one address; `undefined` when it is not one. A port, brackets and white space are refused. */
export function parseIpAddress(text: string): IpAddress | undefined {
  const value = parseIPv4(text);
  return value >= 0 ? [0, 0, MAPPED, value] : parseIPv6(text);
}

/**
 * Parse one element of `X-Forwarded-For`, or a node of `Forwarded`: an address, with or without brackets, port and quotes
 * around the whole. `undefined` for anything else, such as `unknown` and obfuscated identifiers. An IPv6 address without
 * brackets has no port: `2001:db8::1:443` is an address that ends in `443`.
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

/** Whether `address` is IPv4, which includes IPv4-mapped IPv6. */
export function isIPv4(address: IpAddress): boolean {
  return address[2] === MAPPED && address[1] === 0 && address[0] === 0;
}

/** The canonical text of `address`: a dotted quad for IPv4, the form of RFC 5952 section 4 for IPv6. */
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

/**
 * The text that one client's addresses share: an IPv4 address itself, and of an IPv6 address its /64, because a client can
 * use each address of it (RFC 4291 section 2.5.4). `undefined` when `text` is not an address.
 */
export function networkOf(text: string | undefined): string | undefined {
  const address = text === undefined ? undefined : parseIpAddress(text);
  if (!address) return undefined;
  return formatIpAddress(isIPv4(address) ? address : [address[0], address[1], 0, 0]);
}

/** Parse `text` from `start` to its end as IPv4, to an unsigned 32-bit integer; -1 when it is not an IPv4 address. */
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

/** The groups of the address that is being parsed. All calls share one array: a new one costs as much as the parsing. */
const groups = new Uint16Array(8);

/** Parse `text` as IPv6, IPv4-mapped included; `undefined` when it is not an IPv6 address. */
export function parseIPv6(text: string): IpAddress | undefined {
  return parseGroups(text) ?? parseZoned(text);
}

/** Parse an address with a zone id, which few addresses have. */
function parseZoned(text: string): IpAddress | undefined {
  const percent = text.indexOf("%");
  const hasZone = percent >= 0 && ZONE_REGEXP.test(text.slice(percent + 1));
  return hasZone ? parseGroups(text.slice(0, percent)) : undefined;
}

function parseGroups(text: string): IpAddress | undefined {
  let count = 0;
  let gap = -1; // how many groups come before the "::"
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
 * Start and end of the run of zero groups that "::" replaces: the longest run, and the first of several that are equally
 * long (RFC 5952 section 4.2.3). A single group is not replaced (section 4.2.2). Both are -1 when there is no run.
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
