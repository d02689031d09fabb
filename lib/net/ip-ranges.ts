/**
 * Sets of IP addresses.
 *
 * range   = address / block / span
 * block   = address "/" prefix     RFC 4632 section 3.1, RFC 4291 section 2.3; no bit set outside the prefix
 * span    = address "-" address    both ends included
 * prefix  = 0 to 32, or 0 to 128, without leading zeros
 */
import { formatIpAddress, isIPv4, parseIPv4, parseIPv6, parseIpAddress, type IpAddress } from "./ip-address.js";

const PREFIX_REGEXP = /^(?:0|[1-9][0-9]{0,2})$/;

/** One range. IPv4 addresses are stored as IPv4-mapped, see {@link IpAddress}. */
export interface IpRange {
  /** The range as it was written. */
  readonly text: string;
  /** The first address of the range, as a number. */
  readonly first: bigint;
  /** The last address of the range, included. */
  readonly last: bigint;
  /** An IPv6 range contains no IPv4 address: `::/0` is not every address. */
  readonly version: 4 | 6;
}

/** Whether an address, in any of its forms, is in the set. False for text that is not an address. */
export interface IpRangeSet {
  (address: string | undefined): boolean;
  /** The range that contains `address`, as it was written; the widest of nested ranges. */
  readonly rangeOf: (address: string | undefined) => string | undefined;
}

/**
 * Parse an IP range: an address, a CIDR block or a span `a-b`.
 *
 * @throws {TypeError} when `text` is none of these; the message says what to write instead
 * @example
 * parseIpRange("192.0.2.0/24").version; // 4
 * parseIpRange("192.0.2.9/24"); // TypeError: … the block is "192.0.2.0/24"
 */
export function parseIpRange(text: string): IpRange {
  if (typeof text !== "string") throw new TypeError("an IP range must be a string");
  const slash = text.indexOf("/");
  const [first, last] = slash < 0 ? parseSpan(text) : parseBlock(text, text.slice(0, slash), text.slice(slash + 1));
  if (isIPv4(first) !== isIPv4(last)) throw new TypeError(`"${text}" mixes IPv4 and IPv6`);

  const range = { text, first: toBigInt(first), last: toBigInt(last), version: isIPv4(first) ? 4 : 6 } as const;
  if (range.first > range.last) throw new TypeError(`"${text}" ends before it starts`);
  return range;
}

/**
 * Compile ranges, as text or parsed by {@link parseIpRange}, to a set that is searched in logarithmic time.
 *
 * @throws {TypeError} when a text is not a range
 * @example
 * const isInternal = compileIpRanges(["10.0.0.0/8", "fd00::/8"]);
 * isInternal("10.1.2.3"); // true
 * isInternal.rangeOf("10.1.2.3"); // "10.0.0.0/8"
 */
export function compileIpRanges(ranges: readonly (string | IpRange)[]): IpRangeSet {
  if (!Array.isArray(ranges)) throw new TypeError("IP ranges must be an array");
  const parsed = (ranges as readonly (string | IpRange)[]).map((range) =>
    isIpRange(range) ? range : parseIpRange(range),
  );
  const ipv4 = separate(parsed.filter(({ version }) => version === 4));
  const ipv6 = separate(parsed.filter(({ version }) => version === 6));
  const searchIPv4 = compileIPv4Search(ipv4);
  const searchIPv6 = compileIPv6Search(ipv6);

  const separated = [...ipv4, ...ipv6];

  /** The index in `separated` of the range that contains the address, or -1. */
  function search(text: string | undefined): number {
    if (text === undefined) return -1;
    const value = parseIPv4(text);
    if (value >= 0) return searchIPv4(value);
    const address = parseIPv6(text);
    if (!address) return -1;
    if (isIPv4(address)) return searchIPv4(address[3]);
    const index = searchIPv6(address);
    return index < 0 ? -1 : ipv4.length + index;
  }

  return Object.assign((address: string | undefined) => search(address) >= 0, {
    rangeOf: (address: string | undefined) => separated[search(address)]?.text,
  });
}

function isIpRange(value: string | IpRange | null): value is IpRange {
  return typeof value === "object" && value !== null;
}

function parseSpan(text: string): [IpAddress, IpAddress] {
  const dash = text.indexOf("-");
  if (dash < 0) {
    const address = parseBound(text, text);
    return [address, address];
  }
  return [parseBound(text, text.slice(0, dash)), parseBound(text, text.slice(dash + 1))];
}

function parseBlock(text: string, start: string, prefix: string): [IpAddress, IpAddress] {
  const first = parseBound(text, start);
  const bits = start.includes(":") ? 128 : 32;
  if (!PREFIX_REGEXP.test(prefix) || Number(prefix) > bits) {
    throw new TypeError(`"${text}" must end in a prefix length from 0 to ${bits}`);
  }
  const hostBits = BigInt(bits - Number(prefix));
  const block = (toBigInt(first) >> hostBits) << hostBits;
  if (block !== toBigInt(first)) {
    const network = `${formatIpAddress(fromBigInt(block))}/${prefix}`;
    throw new TypeError(`"${text}" has bits set outside its prefix; the block is "${network}"`);
  }
  return [first, fromBigInt(block + (1n << hostBits) - 1n)];
}

function parseBound(text: string, bound: string): IpAddress {
  // A client's address loses its zone id, so a range with one could never match as written.
  const address = bound.includes("%") ? undefined : parseIpAddress(bound);
  if (!address) {
    throw new TypeError(
      `"${text}" is not an IP address, a CIDR block such as "192.0.2.0/24" or a range such as "192.0.2.1-192.0.2.9"`,
    );
  }
  return address;
}

/** `ranges` sorted and without overlaps, so that one binary search finds the answer. */
function separate(ranges: readonly IpRange[]): IpRange[] {
  const sorted = [...ranges].sort((a, b) => compare(a.first, b.first) || compare(b.last, a.last));
  const separated: IpRange[] = [];
  let next = 0n;
  for (const range of sorted) {
    if (range.last < next) continue;
    separated.push(range.first < next ? { ...range, first: next } : range);
    next = range.last + 1n;
  }
  return separated;
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A function that returns the index of the range that contains an address, or -1. */
function compileIPv4Search(ranges: readonly IpRange[]): (address: number) => number {
  const bounds = Uint32Array.from(ranges.flatMap(({ first, last }) => [fromBigInt(first)[3], fromBigInt(last)[3]]));
  const keys = ranges.map(({ first }) => fromBigInt(first)[3]);
  const { slotOf, starts } = compileSlots(keys, bounds.at(-1) ?? 0);

  return function searchIPv4(address) {
    const slot = slotOf(address);
    if (slot < 0) return -1;
    let index = (starts[slot] ?? 0) - 1; // the last range that starts at `address` or before
    for (let rest = (starts[slot + 1] ?? 0) - index - 1; rest > 0;) {
      const half = (rest + 1) >>> 1;
      index += half * Number((bounds[2 * (index + half)] ?? 0) <= address); // no branch to mispredict: twice as fast
      rest -= half;
    }
    return index >= 0 && address <= (bounds[2 * index + 1] ?? 0) ? index : -1;
  };
}

function compileIPv6Search(ranges: readonly IpRange[]): (address: IpAddress) => number {
  const firsts = Uint32Array.from(ranges.flatMap(({ first }) => fromBigInt(first)));
  const lasts = Uint32Array.from(ranges.flatMap(({ last }) => fromBigInt(last)));
  const keys = ranges.map(({ first }) => networkOf(fromBigInt(first)));
  const { slotOf, starts } = compileSlots(keys, networkOf(fromBigInt(ranges.at(-1)?.last ?? 0n)));

  return function searchIPv6(address) {
    const slot = slotOf(networkOf(address));
    if (slot < 0) return -1;
    let index = (starts[slot] ?? 0) - 1;
    for (let rest = (starts[slot + 1] ?? 0) - index - 1; rest > 0;) {
      const half = (rest + 1) >>> 1;
      if (compareWords(address, firsts, (index + half) * 4) >= 0) index += half;
      rest -= half;
    }
    return index >= 0 && compareWords(address, lasts, index * 4) <= 0 ? index : -1;
  };
}

/** The upper half of `address` as a number. Rounded, but still in order: a greater address never has a smaller number. */
function networkOf(address: IpAddress): number {
  return address[0] * 2 ** 32 + address[1];
}

/** Slots of the index for each range: with two, most slots contain no range or one. */
const SLOTS_PER_RANGE = 2;

/**
 * Divide the space from the first to the last address into equal slots that say where to begin the search. For ranges
 * that are spread evenly, the cost does not grow with their number; for others it is the cost of a binary search.
 *
 * @param keys where each range starts, ascending
 * @param end where the last range ends
 * @returns `slotOf`: the slot of a key, -1 outside of all ranges; `starts`: for each slot the first range that starts in
 *   it or later
 */
function compileSlots(keys: readonly number[], end: number) {
  const base = keys[0] ?? Infinity;
  const step = Math.max(1, Math.ceil((end - base + 1) / (keys.length * SLOTS_PER_RANGE)));
  const slotOf = (key: number) => (key < base || key > end ? -1 : Math.floor((key - base) / step));

  const starts = new Uint32Array(keys.length === 0 ? 0 : slotOf(end) + 2);
  let index = 0;
  for (let slot = 0; slot < starts.length; slot++) {
    while (index < keys.length && slotOf(keys[index] ?? 0) < slot) index++;
    starts[slot] = index;
  }
  return { slotOf, starts };
}

/** Negative, zero or positive: `address` is less than, equal to or greater than the four words at `offset`. */
function compareWords(address: IpAddress, words: Uint32Array, offset: number): number {
  return (
    address[0] - (words[offset] ?? 0) ||
    address[1] - (words[offset + 1] ?? 0) ||
    address[2] - (words[offset + 2] ?? 0) ||
    address[3] - (words[offset + 3] ?? 0)
  );
}

function toBigInt(address: IpAddress): bigint {
  return address.reduce((value, word) => (value << 32n) | BigInt(word), 0n);
}

function fromBigInt(value: bigint): IpAddress {
  const word = (shift: bigint) => Number((value >> shift) & 0xffffffffn);
  return [word(96n), word(64n), word(32n), word(0n)];
}
