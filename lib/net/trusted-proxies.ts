import { compileIpRanges, parseIpRange, type IpRange, type IpRangeSet } from "./ip-ranges.js";

/** The names that Express's `trust proxy` accepts. */
const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1"], // RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3
  linklocal: ["169.254.0.0/16", "fe80::/10"], // RFC 3927, RFC 4291 section 2.5.6
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"], // RFC 1918, RFC 4193
};

const EVERY_IPV4 = parseIpRange("0.0.0.0/0");
const EVERY_IPV6 = parseIpRange("::/0");

/** Whether to trust the peer or hop with this address. The address is in canonical form. */
export type TrustPredicate = (address: string) => boolean;

/**
 * The proxies to trust: a list of addresses, CIDR blocks, spans `a-b` and the names `loopback`, `linklocal` and
 * `uniquelocal`; the same in one string with commas; or a function of the request that returns a list, a predicate
 * (see {@link compileTrustedProxies}), or `undefined` to trust nobody. A returned array is compiled once and then
 * recognised by identity: return the same array for the same list, and a new array after a change.
 */
export type TrustOption<R> = string | readonly string[] | ((req: R) => readonly string[] | TrustPredicate | undefined);

/**
 * Compile a list of trusted proxies: addresses, CIDR blocks, spans `a-b`, and the names `loopback`, `linklocal` and
 * `uniquelocal`.
 *
 * @throws {TypeError} when an entry is none of these, or when the entries contain every address, one alone or together
 * @example
 * const isTrusted = compileTrustedProxies(["loopback", "192.0.2.0/24"]);
 * isTrusted("127.0.0.1"); // true
 * isTrusted.rangeOf("192.0.2.7"); // "192.0.2.0/24"
 */
export function compileTrustedProxies(list: readonly string[]): IpRangeSet {
  if (!Array.isArray(list)) throw new TypeError("trusted proxies must be an array");
  const ranges = (list as readonly string[]).flatMap(parseEntry);
  refuseEveryAddress("this list", ranges);
  return compileIpRanges(ranges);
}

function parseEntry(entry: string): IpRange[] {
  if (Object.hasOwn(NAMED_RANGES, entry)) {
    return (NAMED_RANGES[entry] ?? []).map((text) => ({ ...parseIpRange(text), text: entry }));
  }
  const range = parseIpRange(entry);
  refuseEveryAddress(`"${entry}"`, [range]);
  return [range];
}

function refuseEveryAddress(subject: string, ranges: readonly IpRange[]): void {
  if (!cover(ranges, EVERY_IPV4) && !cover(ranges, EVERY_IPV6)) return;
  throw new TypeError(`${subject} would trust every address: any client could then choose its own; list the proxies`);
}

/** Whether every address of `all` is in one of the ranges. */
function cover(ranges: readonly IpRange[], all: IpRange): boolean {
  const sorted = ranges.filter(({ version }) => version === all.version).sort((a, b) => (a.first < b.first ? -1 : 1));
  let next = all.first;
  for (const { first, last } of sorted) {
    if (first > next) return false;
    if (last >= next) next = last + 1n;
  }
  return next > all.last;
}
