import fc from "fast-check";
import { evaluateClientAddress, findClientIp } from "../../../lib/net/client-address.js";
import { compileTrustedProxies } from "../../../lib/net/trusted-proxies.js";

const TRUSTED = compileTrustedProxies(["loopback", "10.0.0.0/8", "2001:db8::/32"]);

/** The client and the reasons, for nodes given the nearest first. */
function evaluate(peer: string | undefined, ...nodes: string[]): { ip: string | null; reasons: string[] } {
  const { ip, chain } = evaluateClientAddress(peer, nodes, "x-forwarded-for", TRUSTED);
  return { ip, reasons: chain.map(({ ip: hop, reason }) => `${hop ?? "?"} ${reason}`) };
}

describe("evaluateClientAddress", () => {
  it("C2 takes the peer for the client when no hop is reported", () => {
    expect(evaluate("192.0.2.1")).toEqual({ ip: "192.0.2.1", reasons: ["192.0.2.1 untrusted"] });
    expect(evaluate("10.0.0.1")).toEqual({ ip: "10.0.0.1", reasons: ["10.0.0.1 trusted"] });
  });

  it("C3 stops at the first hop that is not trusted", () => {
    expect(evaluate("127.0.0.1", "10.0.0.1", "192.0.2.7", "10.0.0.2", "198.51.100.1")).toEqual({
      ip: "192.0.2.7",
      reasons: [
        "127.0.0.1 trusted",
        "10.0.0.1 trusted",
        "192.0.2.7 untrusted",
        "10.0.0.2 unverified",
        "198.51.100.1 unverified",
      ],
    });
  });

  it("C3 takes the farthest hop for the client when all are trusted", () => {
    expect(evaluate("127.0.0.1", "10.0.0.1", "10.0.0.2").ip).toBe("10.0.0.2");
  });

  it("C3 believes nothing of a peer that is not trusted", () => {
    expect(evaluate("192.0.2.1", "10.0.0.1", "unknown")).toEqual({
      ip: "192.0.2.1",
      reasons: ["192.0.2.1 untrusted", "10.0.0.1 unverified", "? unverified"],
    });
  });

  it.each(["unknown", "_hidden", "", "127.1", "0x7f.1", "<script>alert(1)</script>", "10.0.0.1 10.0.0.2"])(
    "C3 ends the walk at the last good address before %j",
    (node) => {
      expect(evaluate("127.0.0.1", "10.0.0.1", node, "10.0.0.2", "192.0.2.7")).toEqual({
        ip: "10.0.0.1",
        reasons: [
          "127.0.0.1 trusted",
          "10.0.0.1 trusted",
          "? unparsable",
          "10.0.0.2 unverified",
          "192.0.2.7 unverified",
        ],
      });
    },
  );

  it.each([
    ["::ffff:10.0.0.1", "10.0.0.1"],
    ["10.0.0.1:4711", "10.0.0.1"],
    ['"[2001:DB8:0::1]:443"', "2001:db8::1"],
    ["2001:db8::1%eth0", "2001:db8::1"],
  ])("C3 recognises the trusted hop %s", (node, ip) => {
    expect(evaluate("127.0.0.1", node, "192.0.2.7")).toEqual({
      ip: "192.0.2.7",
      reasons: ["127.0.0.1 trusted", `${ip} trusted`, "192.0.2.7 untrusted"],
    });
  });

  it("C4 tells of every hop what it is, where it was read, and which entry trusts it", () => {
    const { chain } = evaluateClientAddress("::1", ["10.0.0.1:80", "[2001:dba::1]", "unknown"], "forwarded", TRUSTED);
    expect(chain).toEqual([
      { ip: "::1", version: 6, source: "socket", trusted: true, reason: "trusted", range: "loopback" },
      { ip: "10.0.0.1", version: 4, source: "forwarded", trusted: true, reason: "trusted", range: "10.0.0.0/8" },
      { ip: "2001:dba::1", version: 6, source: "forwarded", trusted: false, reason: "untrusted", range: null },
      { ip: null, version: null, source: "forwarded", trusted: false, reason: "unverified", range: null },
    ]);
  });

  it("knows no client when the peer has no address", () => {
    expect(evaluate(undefined, "192.0.2.1")).toEqual({ ip: null, reasons: ["? unparsable", "192.0.2.1 unverified"] });
  });
});

describe("findClientIp", () => {
  const NODES = [
    ...["127.0.0.1", "10.0.0.1", "10.0.0.1:80", '"10.0.0.2"', "::ffff:10.0.0.3", "2001:DB8:0::1", "[2001:db8::2]:443"],
    ...[
      "192.0.2.1",
      "192.0.2.1:1",
      "2001:db9:0:0::1",
      "[2001:db9::2]",
      "fe80::1%eth0",
      "[::1%lo]",
      "unknown",
      "",
      "10.1",
    ],
  ];

  it("C3 is the address that the chain leads to", () => {
    const node = fc.constantFrom(...NODES);
    fc.assert(
      fc.property(fc.option(node, { nil: undefined }), fc.array(node, { maxLength: 6 }), (peer, nodes) => {
        const { ip } = evaluateClientAddress(peer, nodes, "forwarded", TRUSTED);
        expect(findClientIp(peer, nodes, TRUSTED)).toBe(ip);
      }),
      { numRuns: 3000 },
    );
  });
});
