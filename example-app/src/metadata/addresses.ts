import { compileIpRanges, parseIpRange } from "etiquette/ip-ranges";

/**
 * Blocks of IPv4 that are not for the public internet: the IANA registry of special-purpose addresses (RFC 6890), multicast,
 * and what is reserved.
 */
const NOT_PUBLIC_IPV4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  "224.0.0.0/3",
];

/** All of IPv6 but global unicast (RFC 4291 section 2.4); of that, tunnels, documentation and other special purposes. */
const NOT_PUBLIC_IPV6 = [
  ...["::/3", "4000::/2", "8000::/1"],
  ...["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
];

const isAddress = compileIpRanges(["0.0.0.0/0", "::/0"]);
const isSpecial = compileIpRanges([...NOT_PUBLIC_IPV4, ...NOT_PUBLIC_IPV6]);

/**
 * A check whether the server may connect to an address: it is public, or in one of the networks.
 *
 * @throws {TypeError} when a network is no address, block or span
 */
export function compileAddressCheck(networks: readonly string[]): (address: string) => boolean {
  const isListed = compileIpRanges(networks.map(parseIpRange));
  return (address) => isAddress(address) && (isListed(address) || !isSpecial(address));
}
