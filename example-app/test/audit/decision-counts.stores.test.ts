import { createDecisionCounts, MAX_PAIRS } from "../../src/audit/decision-counts.js";
import type { EndedRequest } from "../../src/audit/request-facts.js";
import type { Store } from "../../src/store/store.js";
import type { RoutingDecision } from "../../src/tenancy/routing-cache.js";
import { countTurns } from "../support/count-turns.js";
import { createOrg, describeStores } from "../support/stores.js";

type Answer = RoutingDecision["answer"];

const DAY_MS = 86_400_000;
const START = Date.parse("2026-01-07T12:59:00.000Z");

const AWAY = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });

const IDP = { id: "idp-1", type: "OIDC", name: "Contoso" } as const;

describeStores((_engine, database) => {
  let store: Store;
  let orgs: string[];
  let now: number;
  let failure: Error | undefined;
  let attempts: number;
  const warn = jest.fn();

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "performance", "queueMicrotask", "Date"] });
    [now, failure, attempts] = [START, undefined, 0];
    warn.mockClear();
    store = await (await database()).open({ clock: () => new Date(now) });
    orgs = [];
    for (const subdomain of ["demo", "acme"]) orgs.push((await createOrg(store, { subdomain, name: subdomain })).id);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const create = () =>
    createDecisionCounts({
      store: {
        write: async (work) => {
          attempts++;
          if (failure) throw failure;
          return store.write(work);
        },
      },
      log: { warn },
    });

  const end = (rule: string, changes: Partial<Answer> = {}, orgId = orgs[0]) => {
    const answer = { rule: { id: rule, name: rule }, providers: [IDP], reason: "matched", ...changes };
    const tenant = orgId === undefined ? undefined : { org: { id: orgId } };
    return { facts: { tenant }, decision: { policyId: "policy", revision: 1, answer } } as unknown as EndedRequest;
  };

  const read = async (orgId = orgs[0]!) => {
    const rows = store.reader
      .selectFrom("decision_counts")
      .select(["rule_id", "provider_id", "day", "h12", "h13", "last"])
      .where("org_id", "=", orgId)
      .orderBy("rule_id")
      .orderBy("provider_id")
      .orderBy("day");
    return (await rows.execute()).map((row) => Object.values(row));
  };

  const settle = async (condition: () => unknown) => {
    while (!(await condition())) await new Promise(setImmediate);
  };

  it("lets requests go on between the orgs", async () => {
    const counts = create();
    const ids = Array.from({ length: 20 }, (_, i) => `org ${i}`);
    failure = new Error("no such org");
    for (const id of ids) counts.add(end("a", {}, id));
    expect(await countTurns(() => counts.close())).toBeGreaterThanOrEqual(ids.length);
    expect(attempts).toBe(ids.length);
  });

  it("counts by rule and first provider, in the hour in which it writes", async () => {
    const counts = create();
    for (const each of [end("b"), end("a"), end("a"), end("a", { providers: ["org", IDP] })]) counts.add(each);
    counts.add(end("a", { reason: "no rule" }));
    counts.add(end("a", {}, "removed meanwhile"));
    counts.add({ facts: { tenant: { org: { id: orgs[0] } } } } as unknown as EndedRequest);
    counts.add(end("a", {}, orgs[1]));
    await counts.close();
    const [day, last] = ["2026-01-07", new Date(START).toISOString()];
    expect(await read()).toEqual([
      ["a", "", day, 1, 0, last],
      ["a", "idp-1", day, 2, 0, last],
      ["b", "idp-1", day, 1, 0, last],
    ]);
    expect(await read(orgs[1])).toEqual([["a", "idp-1", day, 1, 0, last]]);
    expect(warn).toHaveBeenCalledTimes(1); // of the removed org, which is no reason to try again
    expect(attempts).toBe(3);

    now += 60_000;
    const others = [create(), create()];
    for (const other of others) other.add(end("a"));
    await Promise.all(others.map((other) => other.close()));
    now += DAY_MS - 3_600_000;
    const next = create();
    next.add(end("a"));
    await next.close();
    expect((await read()).filter(([rule, provider]) => rule === "a" && provider !== "")).toEqual([
      ["a", "idp-1", day, 2, 2, "2026-01-07T13:00:00.000Z"],
      ["a", "idp-1", "2026-01-08", 1, 0, "2026-01-08T12:00:00.000Z"],
    ]);
  });

  it("writes once a minute", async () => {
    const counts = create();
    for (let i = 0; i < 10; i++) counts.add(end("a"));
    jest.advanceTimersByTime(59_999);
    expect(attempts).toBe(0);
    jest.advanceTimersByTime(1);
    await settle(async () => (await read()).length > 0);
    expect((await read())[0]?.[3]).toBe(10);
    expect(attempts).toBe(1);
    jest.advanceTimersByTime(600_000);
    expect(attempts).toBe(1);
    await counts.close();
  });

  it("waits for the database, and counts nothing twice", async () => {
    const counts = create();
    failure = AWAY;
    counts.add(end("a"));
    counts.add(end("a", {}, orgs[1]));
    jest.advanceTimersByTime(60_000);
    await settle(() => warn.mock.calls.length > 0);
    expect(attempts).toBe(1);
    counts.add(end("a"));
    failure = undefined;
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate); // one for each org, and some
    jest.advanceTimersByTime(60_000); // once: connections have timers too, and take a slow answer for none
    await settle(async () => (await read(orgs[1])).length > 0);
    await counts.close();
    expect((await read())[0]?.[3]).toBe(2);
    expect((await read(orgs[1]))[0]?.[3]).toBe(1);
  });

  it.each([
    [MAX_PAIRS - 1, 0],
    [MAX_PAIRS, 1],
    [MAX_PAIRS + 1, 1],
  ])("S9 writes at once when %i pairs wait: %i", async (count, writes) => {
    const counts = create();
    for (let i = 0; i < count; i++) counts.add(end(`rule-${i}`));
    await new Promise(setImmediate);
    expect(attempts).toBe(writes);
    await counts.close();
    const row = store.reader.selectFrom("decision_counts").select(({ fn }) => fn.countAll<number>().as("count"));
    expect((await row.executeTakeFirstOrThrow()).count).toBe(count);
  });

  it.each([
    [2 * MAX_PAIRS - 1, 2 * MAX_PAIRS - 1],
    [2 * MAX_PAIRS, 2 * MAX_PAIRS],
    [2 * MAX_PAIRS + 1, 2 * MAX_PAIRS],
  ])("S9 of %i pairs that wait for the database, keeps %i, and tries once a minute", async (count, kept) => {
    const counts = create();
    failure = AWAY;
    for (let i = 0; i < count; i++) {
      counts.add(end(`rule-${i}`));
      if (i % 1_000 === 0) await new Promise(setImmediate);
    }
    expect(attempts).toBe(1);
    counts.add(end("rule-0"));
    failure = undefined;
    await counts.close();
    const row = store.reader.selectFrom("decision_counts").select(({ fn }) => fn.countAll<number>().as("count"));
    expect((await row.executeTakeFirstOrThrow()).count).toBe(kept);
    expect((await read()).find(([rule]) => rule === "rule-0")?.[3]).toBe(2);
  });
});
