import { compileTrustedProxies } from "etiquette/trusted-proxies";
import type { Zone } from "../../src/model/records.js";
import { createTrustCache } from "../../src/tenancy/trust-cache.js";
import { buildZone } from "../support/routing.js";

const proxies = (...values: string[]): Zone["proxies"] => values.map((value) => ({ type: "CIDR", value }));

describe("createTrustCache()", () => {
  const hears = () => true;

  it("C3 trusts the service's own proxies and those of the org's active zones", async () => {
    const zones = [
      buildZone("z1", [], { proxies: proxies("192.0.2.0/24") }),
      buildZone("z2", [], { proxies: proxies("198.51.100.0/24"), status: "INACTIVE" }),
    ];
    const data = { revision: 1, zones, trustedOrigins: [], redirectOrigins: [], issuers: [], bytes: 1_000 };
    const cache = createTrustCache({
      store: { hears, currentRevision: () => Promise.resolve(1), loadTrustData: () => Promise.resolve(data) },
      trustedProxies: compileTrustedProxies(["loopback"]),
      proofsOf: () => ({ baseUrl: "https://localhost" }),
      maxBytes: 10_000,
    });
    const { trustedProxies } = (await cache.get("o"))!;
    expect(["192.0.2.9", "127.0.0.1", "198.51.100.1", "203.0.113.1"].map(trustedProxies)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(["192.0.2.9", "127.0.0.1", "203.0.113.1"].map(trustedProxies.rangeOf)).toEqual([
      "192.0.2.0/24",
      "loopback",
      undefined,
    ]);
  });

  it.each([
    [255, true],
    [256, false],
  ])("C3 trusts proxies in %d of the 256 blocks of IPv4 addresses: %s", async (count, isTrusted) => {
    const blocks = Array.from({ length: count }, (_, i) => `${i}.0.0.0/8`);
    const zones = [
      buildZone("z1", [], { proxies: proxies(...blocks.slice(0, 128)) }),
      buildZone("z2", [], { proxies: proxies(...blocks.slice(128)) }),
    ];
    let turns = 0;
    const data = { revision: 1, zones, trustedOrigins: [], redirectOrigins: [], issuers: [], bytes: 1_000 };
    const cache = createTrustCache({
      store: { hears, currentRevision: () => Promise.resolve(1), loadTrustData: () => Promise.resolve(data) },
      trustedProxies: compileTrustedProxies([]),
      proofsOf: () => ({ baseUrl: "https://localhost" }),
      maxBytes: 10_000,
      turns: () => () => Promise.resolve(turns++),
    });
    expect((await cache.get("o"))!.trustedProxies("192.0.2.9")).toBe(isTrusted);
    expect(turns).toBe(0);
  });

  it("S9 compiles many zones in several turns", async () => {
    const ranges = Array.from({ length: 150 }, (_, i) => `10.${i}.0.0/16`);
    const zones = Array.from({ length: 50 }, (_, i) => buildZone(`z${i}`, ranges, { proxies: proxies(...ranges) }));
    let turns = 0;
    const cache = createTrustCache({
      store: {
        hears,
        currentRevision: () => Promise.resolve(1),
        loadTrustData: () =>
          Promise.resolve({ revision: 1, zones, trustedOrigins: [], redirectOrigins: [], issuers: [], bytes: 1_000 }),
      },
      trustedProxies: compileTrustedProxies([]),
      proofsOf: () => ({ baseUrl: "https://localhost" }),
      maxBytes: 10_000,
      turns: () => () => Promise.resolve(turns++),
    });
    await cache.get("o");
    expect(turns).toBeGreaterThan(10);
  });
});
