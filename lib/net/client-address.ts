import { formatIpAddress, parseHop, parseIPv4 } from "./ip-address.js";
import type { IpRangeSet } from "./ip-ranges.js";

/** Where the address of a hop was read. */
export type HopSource = "socket" | "x-forwarded-for" | "forwarded";

/**
 * Why a hop is believed or not:
 * - `trusted`: its address is one of the trusted proxies', so that the next hop, which it wrote, counts;
 * - `untrusted`: it is not, so that this hop is the client;
 * - `unparsable`: it is no address (`unknown`, an obfuscated identifier, anything else), so that the hop before is the
 *   last one known;
 * - `unverified`: it stands beyond the end of the walk, and anyone may have written it.
 */
export type HopReason = "trusted" | "untrusted" | "unparsable" | "unverified";

/** One hop between the service and the client. */
export interface Hop {
  /** In canonical form (RFC 5952), IPv4-mapped addresses as IPv4; `null` when it is no address. */
  readonly ip: string | null;
  readonly version: 4 | 6 | null;
  readonly source: HopSource;
  readonly trusted: boolean;
  readonly reason: HopReason;
  /** The entry of the trusted proxies that holds the address, as it was written; `null` when it is not trusted. */
  readonly range: string | null;
}

export interface ClientAddress {
  /** The first untrusted hop, or the last known one; `null` when not even the peer has an address (a Unix socket). */
  readonly ip: string | null;
  /** Every hop, the nearest first. */
  readonly chain: readonly Hop[];
}

/** The `ip` of {@link evaluateClientAddress} alone, which most requests are not asked more than. */
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
    known = ip; // one with a port, in brackets or quotes
  }
  return canonicalIp(known);
}

/**
 * Walk from the peer through the hops that proxies reported, past those in `trusted`, to the client.
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
  if (parseIPv4(node) >= 0) return node; // a dotted quad has one form only
  const address = parseHop(node);
  return address ? formatIpAddress(address) : null;
}

function versionOf(ip: string | null): 4 | 6 | null {
  if (ip === null) return null;
  return ip.includes(":") ? 6 : 4;
}
