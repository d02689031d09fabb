import { compileTrustedProxies } from "etiquette/trusted-proxies";
import type { Zone } from "../../src/model/records.js";
import type { RoutingData } from "../../src/store/store.js";
import { createRoutingCache } from "../../src/tenancy/routing-cache.js";
import { ask, buildIdp, buildRule, buildZone, DEFAULT_RULE } from "../support/routing.js";

/** A store with one org, `o`, that counts what it is asked. */
function createTestStore(data: Partial<RoutingData> = {}) {
  const state: RoutingData = {
    revision: 1,
    rules: [DEFAULT_RULE],
    idps: [buildIdp("a")],
    zones: [],
    trustedOrigins: [],
    issuers: [],
    ...data,
  };
  const asked = { revisions: 0, loads: 0 };
  const store = {
    currentRevision(orgId: string) {
      asked.revisions++;
      return Promise.resolve(orgId === "o" ? state.revision : undefined);
    },
    loadRoutingData(orgId: string) {
      asked.loads++;
      return Promise.resolve(orgId === "o" ? { ...state } : undefined);
    },
  };
  return { state, asked, store };
}

describe("createRoutingCache()", () => {
  it("compiles an org when it is asked for, and again only when its revision has moved", async () => {
    const { state, asked, store } = createTestStore();
    const cache = createRoutingCache({ store, trustedProxies: compileTrustedProxies([]) });
    const first = await cache.get("o");
    expect(cache.get("o")).toBe(first);
    cache.expire();
    expect(await cache.get("o")).toBe(first);
    expect(asked).toEqual({ revisions: 1, loads: 1 });

    state.revision = 2;
    state.rules = [buildRule({ id: "new", providers: ["a"] }), DEFAULT_RULE];
    cache.expire();
    const second = await cache.get("o");
    expect(second).toMatchObject({ orgId: "o", revision: 2 });
    expect(await second!.route(ask("joe"))).toMatchObject({ rule: { id: "new" } });
  });

  it("has nothing for an org that does not exist", async () => {
    const cache = createRoutingCache({ store: createTestStore().store, trustedProxies: compileTrustedProxies([]) });
    expect(await cache.get("x")).toBeUndefined();
  });

  it("C3 trusts the service's own proxies and those of the org's active zones", async () => {
    const proxies = (...values: string[]): Zone["proxies"] => values.map((value) => ({ type: "CIDR", value }));
    const zones = [
      buildZone("z1", [], { proxies: proxies("192.0.2.0/24") }),
      buildZone("z2", [], { proxies: proxies("198.51.100.0/24"), status: "INACTIVE" }),
    ];
    const cache = createRoutingCache({
      store: createTestStore({ zones }).store,
      trustedProxies: compileTrustedProxies(["loopback"]),
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
});
