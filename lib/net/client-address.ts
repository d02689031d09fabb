import { formatIpAddress, parseHop, parseIPv4 } from "./ip-address.js";
import type { IpRangeSet } from "./ip-ranges.js";

/** Where the address of a hop comes from. */
export type HopSource = "socket" | "x-forwarded-for" | "forwarded";

/**
 * Why a hop is trusted or not:
 * - `trusted`: its address is a trusted proxy, so the next hop, which this one reported, is examined;
 * - `untrusted`: its address is not a trusted proxy, so this hop is the client;
 * - `unparsable`: it is not an address (`unknown`, an obfuscated identifier, anything else), so the hop before is the
 *   last known one;
 * - `unverified`: it comes after the hop where the walk ended, and anyone may have written it.
 */
export type HopReason = "trusted" | "untrusted" | "unparsable" | "unverified";

/** One hop between the service and the client. */
export interface Hop {
  /** In canonical form (RFC 5952), IPv4-mapped addresses as IPv4; `null` when the hop is not an address. */
  readonly ip: string | null;
  readonly version: 4 | 6 | null;
  readonly source: HopSource;
  readonly trusted: boolean;
  readonly reason: HopReason;
  /** The entry of the trusted proxies that contains the address, as written; `null` when the hop is not trusted. */
  readonly range: string | null;
}

export interface ClientAddress {
  /** The first untrusted hop, or the last known one; `null` when the peer has no address either (a Unix socket). */
  readonly ip: string | null;
  /** Every hop, the nearest first. */
  readonly chain: readonly Hop[];
}

/** Only the `ip` of {@link evaluateClientAddress}, at less cost: most requests need nothing else. */
export function findClientIp(peer: string | undefined, nodes: readonly string[], trusted: IpRangeSet): string | null {
  let known = "";
  for (let index = 0; index <= nodes.length; index++) {
    const node = (index === 0 ? peer : nodes[index - 1]) ?? "";
    if (trusted(node)) {
      known = node;
      continue;
    }
    const ip = canonicalIp(node);
    if (ip === null) break;
    if (ip === node || !trusted(ip)) return ip;
    known = ip; // `node` has a port, brackets or quotes
  }
  return canonicalIp(known);
}

/**
 * Find the client: walk from the peer through the hops that proxies reported, as long as they are in `trusted`.
 *
 * @param nodes the reported hops, the nearest first
 */
export function evaluateClientAddress(
  peer: string | undefined,
  nodes: readonly string[],
  source: HopSource,
  trusted: IpRangeSet,
): ClientAddress {
  let client: string | null = null;
  let verified = true;
  const chain: Hop[] = [];
  for (let index = 0; index <= nodes.length; index++) {
    const ip = canonicalIp((index === 0 ? peer : nodes[index - 1]) ?? "");
    let range: string | null = null;
    let reason: HopReason = "unverified";
    if (verified && ip === null) reason = "unparsable";
    if (verified && ip !== null) {
      client = ip;
      range = trusted.rangeOf(ip) ?? null;
      reason = range === null ? "untrusted" : "trusted";
    }
    verified = range !== null;
    chain.push({
      ip,
      version: versionOf(ip),
      source: index === 0 ? "socket" : source,
      trusted: verified,
      reason,
      range,
    });
  }
  return { ip: client, chain };
}

function canonicalIp(node: string): string | null {
  if (parseIPv4(node) >= 0) return node; // a dotted quad has only one form
  const address = parseHop(node);
  return address ? formatIpAddress(address) : null;
}

function versionOf(ip: string | null): 4 | 6 | null {
  if (ip === null) return null;
  return ip.includes(":") ? 6 : 4;
}
