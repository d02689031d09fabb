import type { IncomingMessage } from "node:http";
import fc from "fast-check";
import proxyAddr from "proxy-addr";
import { evaluateClientAddress } from "../../lib/net/client-address.js";
import { parseForwardedFor } from "../../lib/net/forwarded.js";
import { formatIpAddress, parseIpAddress } from "../../lib/net/ip-address.js";
import { compileTrustedProxies } from "../../lib/net/trusted-proxies.js";

const LIST = ["loopback", "uniquelocal", "203.0.113.0/28", "2001:db8:1::/48", "198.51.100.7"];
const THEIRS = proxyAddr.compile(LIST);
const OURS = compileTrustedProxies(LIST);

/** The client and the chain as the walk went, the nearest first, by proxy-addr. */
function byProxyAddr(peer: string, header: string | undefined): { ip: string; ips: string[] } {
  const req = { headers: { "x-forwarded-for": header }, socket: { remoteAddress: peer } } as unknown as IncomingMessage;
  return { ip: proxyAddr(req, THEIRS), ips: proxyAddr.all(req, THEIRS) };
}

/** The same by ours. */
function byEtiquette(peer: string, header: string | undefined): { ip: string | null; ips: (string | null)[] } {
  const nodes = parseForwardedFor(header ?? "", 32);
  const { ip, chain } = evaluateClientAddress(peer, nodes, "x-forwarded-for", OURS);
  const walked = chain.filter(({ reason }) => reason === "trusted" || reason === "untrusted");
  return { ip, ips: walked.map((hop) => hop.ip) };
}

const address = fc.oneof(
  fc.constantFrom("127.0.0.1", "10.1.2.3", "192.168.7.7", "198.51.100.7", "203.0.113.15", "203.0.113.16", "8.8.8.8"),
  fc.constantFrom("::1", "fd00::1", "2001:db8:1::7", "2001:db8:2::7", "2606:4700::1111"),
  fc.ipV4(),
  fc.ipV6().map(canonical),
);

/** proxy-addr answers with the text as it came, so both are given canonical text. */
function canonical(text: string): string {
  const parsed = parseIpAddress(text);
  return parsed ? formatIpAddress(parsed) : text;
}

describe("the client address and proxy-addr", () => {
  it("C3 agree on every chain of plain addresses", () => {
    fc.assert(
      fc.property(address, fc.array(address, { maxLength: 6 }), (peer, hops) => {
        const header = hops.length > 0 ? hops.join(", ") : undefined;
        expect(byEtiquette(peer, header)).toEqual(byProxyAddr(peer, header));
      }),
      { numRuns: 3000 },
    );
  });

  it("C3 agree on the trust of every address", () => {
    fc.assert(
      fc.property(address, (text) => {
        expect(OURS(text)).toBe(THEIRS(text, 0));
      }),
      { numRuns: 3000 },
    );
  });

  // proxy-addr answers with the element as it came; here it ends the walk
  it.each(["unknown", '"203.0.113.200"x', "<script>alert(1)</script>", "_hidden", "x".repeat(200)])(
    "C3 differ on %j, which is no address",
    (element) => {
      expect(byProxyAddr("127.0.0.1", element).ip).toBe(element);
      expect(byEtiquette("127.0.0.1", element).ip).toBe("127.0.0.1");
    },
  );

  // proxy-addr answers with the element as it came; here it is an address like others
  it.each([
    ["203.0.113.200:4711", "203.0.113.200"],
    ["[2606:4700::1]:443", "2606:4700::1"],
    ["[2606:4700::1]", "2606:4700::1"],
    ['"203.0.113.200"', "203.0.113.200"],
    ["::ffff:203.0.113.200", "203.0.113.200"],
    ["2606:4700:0:0::1", "2606:4700::1"],
    ["fe80::1%eth0", "fe80::1"],
  ])("C3 differ on the client %s, which is normalised to %s", (element, ip) => {
    expect(byProxyAddr("127.0.0.1", element).ip).toBe(element);
    expect(byEtiquette("127.0.0.1", element).ip).toBe(ip);
  });

  // proxy-addr does not recognise these hops, so that the proxy itself passes for the client
  it.each(["10.0.0.1:4711", '"10.0.0.1"', "[fd00::1]:443"])("C3 differ on the trusted hop %s", (hop) => {
    expect(byProxyAddr("127.0.0.1", `8.8.8.8, ${hop}`).ip).toBe(hop);
    expect(byEtiquette("127.0.0.1", `8.8.8.8, ${hop}`).ip).toBe("8.8.8.8");
  });

  // proxy-addr takes some for the trusted address that inet_aton makes of them, and answers with the others
  it.each([
    ["2130706433", "8.8.8.8"],
    ["0177.0.0.1", "8.8.8.8"],
    ["0x7f.0.0.1", "8.8.8.8"],
    ["0x7f.1", "0x7f.1"],
    ["127.1", "127.1"],
  ])("C3 differ on the spelling %s", (hop, theirs) => {
    expect(byProxyAddr("127.0.0.1", `8.8.8.8, ${hop}`).ip).toBe(theirs);
    expect(byEtiquette("127.0.0.1", `8.8.8.8, ${hop}`).ip).toBe("127.0.0.1");
  });

  it("C3 differ on lists: bits outside the prefix, netmasks and odd spellings are refused", () => {
    for (const entry of ["10.0.0.1/8", "10.0.0.0/255.0.0.0", "0x0a.0.0.1/32", "167772161"]) {
      expect(() => proxyAddr.compile([entry])).not.toThrow();
      expect(() => compileTrustedProxies([entry])).toThrow(TypeError);
    }
  });

  it("C3 differ on a hop count, which Express offers and which believes any direct client", () => {
    const byCount = (_address: string, hop: number) => hop < 1; // what `trust proxy = 1` compiles to
    const req = { headers: { "x-forwarded-for": "1.1.1.1" }, socket: { remoteAddress: "8.8.8.8" } };
    expect(proxyAddr(req as unknown as IncomingMessage, byCount)).toBe("1.1.1.1");
    expect(byEtiquette("8.8.8.8", "1.1.1.1").ip).toBe("8.8.8.8");
  });
});
