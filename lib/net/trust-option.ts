import { optionError } from "../factory/index.js";
import { formatIpAddress, parseHop, parseIpAddress } from "./ip-address.js";
import { compileIpRanges, type IpRangeSet } from "./ip-ranges.js";
import { compileTrustedProxies, type TrustOption, type TrustPredicate } from "./trusted-proxies.js";

/** Why a hop count, Express's `trust proxy = 1`, is refused. */
const NO_HOP_COUNT =
  "a number of hops is not offered, because a client that connects directly would be believed as well; list the proxies";

/** What the option takes, at least. */
const LIST = "a list of addresses, CIDR blocks, `loopback`, `linklocal` or `uniquelocal`";

/** What Express's setting `trust proxy` takes: whether to trust the peer or hop with this address. */
export type ExpressTrust = (address: string | undefined) => boolean;

const NOBODY = compileIpRanges([]);

/**
 * Compile the option `trust` of `factory` to a function that returns the trusted proxies of a request. That function
 * throws a TypeError when the function in the option returns an invalid value.
 *
 * @throws {TypeError} when the option is invalid
 */
export function compileTrust<R>(factory: string, trust: TrustOption<R> | undefined): (req: R) => IpRangeSet {
  if (trust === undefined) return () => NOBODY;
  if (typeof trust !== "function") {
    const trusted = compileValue(factory, typeof trust === "string" ? splitList(trust) : trust);
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

/**
 * Compile the option `trust` of `factory` where there is no request yet: only a list, as an array or a string with commas.
 *
 * @throws {TypeError} when the option is anything else
 */
export function compileTrustList(factory: string, trust: string | readonly string[] | undefined): IpRangeSet {
  if (trust === undefined) return NOBODY;
  const list: unknown = typeof trust === "string" ? splitList(trust) : trust;
  return compileList(factory, list, LIST);
}

/**
 * Compile the option `trust` of `factory` to the function that Express's setting `trust proxy` takes. It reads an address with
 * a port, in brackets or in quotes as {@link findClientIp} does.
 *
 * @throws {TypeError} when the option is a function, because Express asks about an address without its request
 */
export function compileTrustProxy(factory: string, trust: TrustOption<never> | undefined): ExpressTrust {
  if (typeof trust === "function") {
    const remedy = 'give it a list, or give `compileTrustedProxies(list)` to "trust proxy"';
    throw trustError(
      factory,
      `Express asks about an address without its request, so a function can't answer; ${remedy}`,
    );
  }
  const isTrusted = compileTrust(factory, trust)(undefined);
  return function trustProxy(address) {
    if (address === undefined || isTrusted(address)) return address !== undefined;
    const hop = parseHop(address);
    return hop !== undefined && isTrusted(formatIpAddress(hop));
  };
}

function compileValue(factory: string, value: unknown): IpRangeSet {
  if (typeof value === "function") return isRangeSet(value) ? value : fromPredicate(value as TrustPredicate);
  return compileList(factory, value, `${LIST}, or a function that returns one`);
}

function compileList(factory: string, value: unknown, expected: string): IpRangeSet {
  if (typeof value === "number") throw trustError(factory, NO_HOP_COUNT);
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === "string")) {
    throw optionError(factory, "trust", expected);
  }
  try {
    return compileTrustedProxies(value);
  } catch (error) {
    throw trustError(factory, (error as Error).message);
  }
}

function splitList(text: string): string[] {
  return text.split(",").map((entry) => entry.trim());
}

function trustError(factory: string, problem: string): TypeError {
  return new TypeError(`${factory}: option \`trust\`: ${problem}`);
}

function isRangeSet(value: object): value is IpRangeSet {
  return typeof value === "function" && "rangeOf" in value;
}

/** A predicate can't say which of its ranges matched, so `rangeOf` returns its name. */
function fromPredicate(trusts: TrustPredicate): IpRangeSet {
  const name = trusts.name || "predicate";
  const isTrusted = (text: string | undefined) => {
    const address = text === undefined ? undefined : parseIpAddress(text);
    // only `true` counts: an async predicate returns a promise, which is truthy
    return address !== undefined && (trusts(formatIpAddress(address)) as unknown) === true;
  };
  return Object.assign(isTrusted, {
    rangeOf: (address: string | undefined) => (isTrusted(address) ? name : undefined),
  });
}
