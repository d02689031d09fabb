import { formatIpAddress, parseIpAddress } from "./ip-address.js";
import { compileIpRanges, parseIpRange, type IpRange, type IpRangeSet } from "./ip-ranges.js";
import { optionError } from "../options/index.js";

/** Names that Express users know. */
const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1"], // RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3
  linklocal: ["169.254.0.0/16", "fe80::/10"], // RFC 3927, RFC 4291 section 2.5.6
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"], // RFC 1918, RFC 4193
};

const EVERY_IPV4 = parseIpRange("0.0.0.0/0");
const EVERY_IPV6 = parseIpRange("::/0");

/** Why what Express calls `trust proxy = 1` is no trust. */
const NO_HOP_COUNT =
  "a number of hops is not offered, because a client that connects directly would be believed as well; list the proxies";

const NOBODY = compileIpRanges([]);

/** Whether the peer or hop with this address, in canonical form, is believed. */
export type TrustPredicate = (address: string) => boolean;

/**
 * Whom to believe: a list of addresses, CIDR blocks, spans `a-b` and the names `loopback`, `linklocal` and
 * `uniquelocal`; the same in one string with commas; or a function of the request that returns a list, a predicate such
 * as {@link compileTrustedProxies} makes, or `undefined` for nobody. A list that is returned is compiled once and known by
 * its identity: return the same array for the same list, and another after a change.
 */
export type TrustOption<R> = string | readonly string[] | ((req: R) => readonly string[] | TrustPredicate | undefined);

/**
 * Compile a list of trusted proxies: addresses, CIDR blocks, spans `a-b`, and the names `loopback`, `linklocal` and
 * `uniquelocal`. A range that holds every address is refused.
 *
 * @throws {TypeError} when an entry is none of these
 */
export function compileTrustedProxies(list: readonly string[]): IpRangeSet {
  if (!Array.isArray(list)) throw new TypeError("trusted proxies must be an array");
  return compileIpRanges((list as readonly string[]).flatMap(parseEntry));
}

/**
 * Compile the option `trust` of `factory` to a function that finds the trusted proxies for a request. That function
 * throws a TypeError when the function in the option returns something else than it may.
 *
 * @throws {TypeError} when the option is invalid
 */
export function compileTrust<R>(factory: string, trust: TrustOption<R> | undefined): (req: R) => IpRangeSet {
  if (trust === undefined) return () => NOBODY;
  if (typeof trust !== "function") {
    const list = typeof trust === "string" ? trust.split(",").map((entry) => entry.trim()) : trust;
    const trusted = compileValue(factory, list);
    return () => trusted;
  }
  if (isRangeSet(trust)) throw trustError(factory, "a compiled list must be returned by a function: `() => list`");

  const compiled = new WeakMap<object, IpRangeSet>();
  return (req) => {
    const value = trust(req);
    if (value === undefined) return NOBODY;
    let trusted = compiled.get(value);
    if (!trusted) {
      trusted = compileValue(factory, value);
      compiled.set(value, trusted);
    }
    return trusted;
  };
}

function compileValue(factory: string, value: unknown): IpRangeSet {
  if (typeof value === "function") return isRangeSet(value) ? value : fromPredicate(value as TrustPredicate);
  if (typeof value === "number") throw trustError(factory, NO_HOP_COUNT);
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === "string")) {
    const expected = "a list of addresses, CIDR blocks, `loopback`, `linklocal` or `uniquelocal`";
    throw optionError(factory, "trust", `${expected}, or a function that returns one`);
  }
  try {
    return compileTrustedProxies(value);
  } catch (error) {
    throw trustError(factory, (error as Error).message);
  }
}

function trustError(factory: string, problem: string): TypeError {
  return new TypeError(`${factory}: option \`trust\`: ${problem}`);
}

function parseEntry(entry: string): IpRange[] {
  if (Object.hasOwn(NAMED_RANGES, entry)) {
    return (NAMED_RANGES[entry] ?? []).map((text) => ({ ...parseIpRange(text), text: entry }));
  }
  const range = parseIpRange(entry);
  if (covers(range, EVERY_IPV4) || covers(range, EVERY_IPV6)) {
    throw new TypeError(`"${entry}" would trust every address: any client could then choose its own; list the proxies`);
  }
  return [range];
}

function covers(range: IpRange, other: IpRange): boolean {
  return range.version === other.version && range.first <= other.first && range.last >= other.last;
}

function isRangeSet(value: object): value is IpRangeSet {
  return typeof value === "function" && "rangeOf" in value;
}

/** A predicate can't say which of its ranges decided; its name stands for them. */
function fromPredicate(trusts: TrustPredicate): IpRangeSet {
  const name = trusts.name || "predicate";
  const isTrusted = (text: string | undefined) => {
    const address = text === undefined ? undefined : parseIpAddress(text);
    // only `true` is a yes: the promise of an async predicate is not
    return address !== undefined && (trusts(formatIpAddress(address)) as unknown) === true;
  };
  return Object.assign(isTrusted, {
    rangeOf: (address: string | undefined) => (isTrusted(address) ? name : undefined),
  });
}
