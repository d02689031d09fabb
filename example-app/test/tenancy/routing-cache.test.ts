import type { RoutingData } from "../../src/store/records/routing-data.js";
import {
  createRoutingCache,
  MAX_ORGS,
  type OrgCacheOptions,
  type RoutingCacheOptions,
} from "../../src/tenancy/routing-cache.js";
import { SLICE_COST } from "../../src/pace/slices.js";
import { ask, buildIdp, buildRule, DEFAULT_RULE, identifier } from "../support/routing.js";

/** A cache over a store in which every org has the same records; it counts what the store is asked. */
function createTestCache(options: Partial<RoutingCacheOptions> = {}) {
  const state: RoutingData = {
    policyId: "policy",
    revision: 1,
    whenProfileUnavailable: "UNAVAILABLE",
    rules: [DEFAULT_RULE],
    idps: [buildIdp("a")],
    zones: [],
    bytes: 1_000,
  };
  const asked = { revisions: 0, loads: 0 };
  const reports: Parameters<NonNullable<OrgCacheOptions["report"]>>[0][] = [];
  const store = {
    hears: () => true,
    currentRevision(orgId: string) {
      asked.revisions++;
      return Promise.resolve(orgId === "x" ? undefined : state.revision);
    },
    loadRoutingData(orgId: string) {
      asked.loads++;
      return Promise.resolve(orgId === "x" ? undefined : { ...state });
    },
  };
  const report: OrgCacheOptions["report"] = (facts) => void reports.push(facts);
  return { state, asked, reports, cache: createRoutingCache({ store, maxBytes: 100_000, report, ...options }) };
}

/** Rules with `count` patterns together, each as long as they may be. */
function buildManyPatterns(count: number) {
  const patterns = Array.from({ length: count }, (_, index) => `${index}-`.padEnd(255, "x"));
  return [buildRule({ id: "many", providers: ["a"], conditions: identifier("CONTAINS", ...patterns) }), DEFAULT_RULE];
}

describe("createRoutingCache()", () => {
  it("compiles an org when it is asked for, and again only when its revision has moved", async () => {
    const { state, asked, cache } = createTestCache();
    const first = await cache.get("o");
    expect(cache.get("o")).toBe(first);
    cache.expire();
    expect(await cache.get("o")).toBe(first);
    expect(asked).toEqual({ revisions: 1, loads: 1 });

    state.revision = 2;
    state.rules = [buildRule({ id: "new", providers: ["a"] }), DEFAULT_RULE];
    cache.expire();
    const second = await cache.get("o");
    expect(second).toMatchObject({ revision: 2 });
    expect(await second!.route(ask("joe"))).toMatchObject({ rule: { id: "new" } });
  });

  it("has nothing for an org that does not exist", async () => {
    expect(await createTestCache().cache.get("x")).toBeUndefined();
  });

  it("evicts the org that was looked up longest ago when there are too many bytes", async () => {
    const { state, asked, cache } = createTestCache({ maxBytes: 2_500 });
    for (const org of ["a", "b", "c"]) await cache.get(org);
    expect(cache.get("b")).toMatchObject({ revision: 1 });
    expect(cache.get("c")).toMatchObject({ revision: 1 });
    expect(asked.loads).toBe(3);
    state.bytes = 2_000; // of another org
    await cache.get("a");
    expect(asked.loads).toBe(4);
    await cache.get("c");
    expect(asked.loads).toBe(5);
  });

  it("keeps 10,000 orgs, and evicts the one that was looked up longest ago for one more", async () => {
    const { asked, cache } = createTestCache({ maxBytes: Number.MAX_SAFE_INTEGER, now: () => 0 });
    for (let org = 0; org < MAX_ORGS; org++) await cache.get(`o${org}`);
    expect(cache.get("o0")).toMatchObject({ revision: 1 });
    expect([MAX_ORGS, asked.loads]).toEqual([10_000, 10_000]);
    await cache.get("one more");
    await cache.get("o0"); // was used last of them
    expect(asked.loads).toBe(10_001);
    await cache.get("o1");
    expect(asked.loads).toBe(10_002);
  });

  it("S9 compiles in slices, none of which is longer than its limit, with turns in between", async () => {
    let turns = 0;
    const nextTurn = () => Promise.resolve(turns++);
    const { state, reports, cache } = createTestCache({ turns: () => nextTurn });
    state.rules = buildManyPatterns(20_000);
    const routing = await cache.get("o");
    expect(await routing!.route(ask(`${"19999-".padEnd(255, "x")}@example.com`))).toMatchObject({
      rule: { id: "many" },
    });
    expect(reports).toHaveLength(1);
    const { slices, longest } = reports[0]!;
    expect(slices).toBe(turns + 1);
    expect(turns).toBeGreaterThan((20_000 * 4) / SLICE_COST);
    expect(longest).toBeLessThan(SLICE_COST * 1.2);
  });
});
