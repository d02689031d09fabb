import { setImmediate } from "node:timers/promises";
import { compileRouting } from "../../../src/discovery/compile-routing.js";
import { createStepsRunner } from "../../../src/pace/slices.js";
import type { StepsRunner } from "../../../src/pace/steps.js";
import { createReplay, REPLAY_LIMITS, type ReplayLimits } from "../../../src/resources/replay/replay.js";
import { SIGN_ON_TYPES } from "../../../src/store/log/sign-ons.js";
import type { OrgStore, Store } from "../../../src/store/store.js";
import { appendSignOns } from "../../support/sign-ons.js";
import { createOrg, describeStores } from "../../support/stores.js";

const SETTINGS = { namespace: "svc", resourceAliases: ["acct:"] };
const SPAN = { since: "2000-01-01T00:00:00.000Z", until: "2100-01-01T00:00:00.000Z" };

/** In one partition, and of both types in turns. */
const PATHS = ["/.well-known/webfinger", "/sso/login"];

const toOrg = compileRouting({ rules: [], idps: [], zones: [] });

describeStores((_engine, database) => {
  let store: Store;
  let orgId: string;

  beforeEach(async () => {
    const data = await database();
    store = await data.open();
    orgId = (await createOrg(store, { subdomain: "demo", name: "Demo" })).id;
  });

  const append = (count: number) =>
    appendSignOns(
      store,
      orgId,
      Array.from({ length: count }, (_, i) => ({ login: `joe${i}@example.com`, path: PATHS[i % 2]! })),
    );

  interface Given {
    limits?: Partial<ReplayLimits>;
    data?: Pick<OrgStore, "search">;
    signal?: AbortSignal;
    run?: StepsRunner;
  }

  const replay = ({ limits, data = store.forOrg(orgId), signal, run = createStepsRunner(setImmediate) }: Given) =>
    createReplay(SETTINGS, { ...REPLAY_LIMITS, ...limits })({
      ...{ data, span: SPAN, current: toOrg, changed: toOrg, run },
      readProfiles: () => Promise.resolve(new Map()),
      guard: (question) => question,
      signal: signal ?? new AbortController().signal,
    });

  test("S9 reads as many events as its limit, the newest", async () => {
    await append(8);
    expect(await replay({ limits: { events: 9 } })).toMatchObject({ events: 8, logins: 8, isComplete: true });
    expect(await replay({ limits: { events: 8 } })).toMatchObject({ events: 8, logins: 8, isComplete: true });
    expect(await replay({ limits: { events: 7 } })).toMatchObject({ events: 7, logins: 7, isComplete: false });
  });

  test("S9 replays a sample of more logins than its limit", async () => {
    await append(8);
    for (const [logins, isSample] of [
      [9, false],
      [8, false],
      [7, true],
    ] as const) {
      const found = await replay({ limits: { logins } });
      expect(found).toMatchObject({ events: 8, isSample, isComplete: true });
      expect(found.logins).toBeLessThanOrEqual(logins);
    }
  });

  test("S9 ends when it has read, or replayed, for its time", async () => {
    await append(700);
    const read = await replay({ limits: { readMs: 0 } });
    expect(read.isComplete).toBe(false);
    expect(read.events).toBe(read.logins);
    expect(read.events).toBeLessThan(700);
    expect(await replay({ limits: { routeMs: 0 } })).toMatchObject({ events: 700, logins: 0, isComplete: false });
  });

  test("merges the events of both types, the newest first", async () => {
    await append(600);
    const { searchedTypes, data } = watchSearches();
    expect(await replay({ data, limits: { events: 300 } })).toMatchObject({ events: 300, isComplete: false });
    expect(new Set(searchedTypes)).toEqual(new Set([...SIGN_ON_TYPES]));
    // of two interleaved types, the newest 300 are within the first pages
    expect(searchedTypes).toHaveLength(2);
  });

  test("reads nothing more when the client has gone", async () => {
    await append(1_200);
    const controller = new AbortController();
    const { searchedTypes, data } = watchSearches(() => {
      controller.abort(new Error("gone"));
    });
    await expect(replay({ data, signal: controller.signal })).rejects.toThrow("gone");
    expect(searchedTypes).toHaveLength(2);
  });

  test("S9 gives way to others after each page of events and each few hundred logins", async () => {
    await append(2_000);
    let turns = 0;
    const run = createStepsRunner(() => {
      turns++;
      return setImmediate();
    });
    expect(await replay({ run })).toMatchObject({ logins: 2_000 });
    expect(turns).toBeGreaterThanOrEqual(2_000 / 250 + 2 * (2_000 / 256));
  });

  /** The types of the searches so far. */
  function watchSearches(onSearch = (): void => undefined) {
    const searchedTypes: string[] = [];
    const own = store.forOrg(orgId);
    const data: Pick<OrgStore, "search"> = {
      async search(create, page) {
        const found = await own.search(create, page);
        searchedTypes.push(String((found.rows[0] as { event_type?: string } | undefined)?.event_type));
        onSearch();
        return found;
      },
    };
    return { searchedTypes, data };
  }
});
