import { createDecisionLog, MAX_KNOWN } from "../../src/audit/decision-log.js";
import { createEventWriter } from "../../src/audit/request-events.js";
import type { EndedRequest } from "../../src/audit/request-facts.js";
import { packRequest } from "../../src/audit/waiting-event.js";
import { createLog } from "../../src/program/process/log.js";
import { addCounts } from "../../src/store/log/decisions.js";
import { expireLog } from "../../src/store/log/retention.js";
import type { Store } from "../../src/store/store.js";
import type { RoutingDecision } from "../../src/tenancy/routing-cache.js";
import { countTurns } from "../support/count-turns.js";
import { createOrg, describeStores, type TestDatabase } from "../support/stores.js";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-01-07T12:00:00.000Z");

const dayAt = (day: number): string => new Date(START + day * DAY_MS).toISOString().slice(0, 10);

const PAIR = { provider_id: "", count: 1 };

const decide = (ruleId: string, { revision = 1, idp = "idp-1" } = {}): RoutingDecision => ({
  policyId: "policy",
  revision,
  answer: {
    rule: { id: ruleId, name: `Rule ${ruleId}` },
    providers: [{ id: idp, type: "OIDC", name: idp }],
    reason: "matched",
  },
});

describeStores((_engine, database) => {
  let data: TestDatabase;
  let store: Store;
  let orgId: string;
  let day: number;
  let requests: number;

  beforeEach(async () => {
    [day, requests] = [0, 0];
    data = await database();
    store = await data.open({ clock: () => new Date(START + day * DAY_MS) });
    orgId = (await createOrg(store, { subdomain: "demo", name: "Demo" })).id;
  });

  const createWriter = (into: Pick<Store, "write"> = store, dayLimit = Infinity) =>
    createEventWriter({
      store: into,
      findOwner: () => Promise.resolve(undefined),
      log: createLog("silent"),
      dayLimit,
      orgType: "SVC",
    });

  const pack = (decision?: RoutingDecision) =>
    packRequest({
      facts: {
        id: `request-${requests++}`,
        method: "GET",
        url: "/.well-known/webfinger",
        peer: "192.0.2.1",
        rawUserAgent: undefined,
        tenant: { org: { id: orgId }, trust: { findZone: () => undefined } },
      },
      isServed: true,
      host: undefined,
      statusCode: 200,
      status: 200,
      isFinished: true,
      isSuccess: true,
      errorCode: undefined,
      errorSummary: undefined,
      decision,
    } as unknown as EndedRequest);

  const readDecisions = async () => {
    const rows = await store.reader.selectFrom("routing_decisions").selectAll().orderBy("document").execute();
    return rows.map(({ document, last_used }) => [JSON.parse(document).debugContext.debugData.ruleId, last_used]);
  };
  const readCounts = () =>
    store.reader
      .selectFrom("decision_counts")
      .select(["rule_id", "provider_id", "day", "h12"])
      .orderBy("rule_id")
      .orderBy("day")
      .execute();
  it("lets requests go on between the orgs that have events", async () => {
    const write = jest.fn().mockResolvedValue({ size: 0, commit: () => undefined });
    const events = Array.from({ length: 40 }, (_, i) => ({ ...pack(), orgId: `org ${i}` }));
    expect(await countTurns(() => createWriter({ write })(events))).toBeGreaterThanOrEqual(10); // four orgs at once
    expect(write).toHaveBeenCalledTimes(40);
  });

  it("keeps a decision once for all events, and notes once a day that it is used", async () => {
    const write = createWriter();
    const a = decide("a");
    await write([pack(a), pack(a), pack(), pack(decide("b")), pack(decide("a"))]);
    expect(await readDecisions()).toEqual([
      ["a", dayAt(0)],
      ["b", dayAt(0)],
    ]);
    await store.write(({ db }) => db.updateTable("routing_decisions").set({ last_used: "" }).execute());
    await write([pack(a)]);
    expect(await readDecisions()).toEqual([
      ["a", ""],
      ["b", ""],
    ]);
    day = 1;
    await write([pack(a)]);
    expect(await readDecisions()).toEqual([
      ["a", dayAt(1)],
      ["b", ""],
    ]);

    const rows = await store.reader.selectFrom("log_events").select("decision_id").orderBy("sequence").execute();
    const [first, , none, second] = rows.map(({ decision_id }) => decision_id);
    expect(rows.map(({ decision_id }) => decision_id)).toEqual([first, first, null, second, first, first, first]);
    expect(none).toBeNull();
    expect(first).toMatch(/^[\w-]{11}$/);
  });

  it("has another id for each revision, rule, reason and provider", async () => {
    const a = decide("a");
    const { answer } = a;
    const others = [
      a,
      decide("a", { revision: 2 }),
      decide("a", { idp: "idp-2" }),
      decide("b"),
      { ...a, answer: { ...answer, reason: "provider inactive" as const } },
      { ...a, answer: { ...answer, providers: [...answer.providers, "org" as const] } },
    ];
    await createWriter()(others.map(pack));
    const rows = await store.reader.selectFrom("log_events").select("decision_id").distinct().execute();
    expect(rows).toHaveLength(others.length);
    expect(await store.reader.selectFrom("routing_decisions").select("id").execute()).toHaveLength(others.length);
  });

  it("writes a decision again if the transaction that had it was not committed", async () => {
    let fails = true;
    const write = createWriter({
      write: (work) =>
        store.write(async (transaction) => {
          const result = await work(transaction);
          if (fails) throw Object.assign(new Error("gone"), { code: "40001" });
          return result;
        }),
    });
    const { left, failure } = await write([pack(decide("a"))]);
    expect(failure).toBeDefined();
    expect(await readDecisions()).toEqual([]);
    fails = false;
    expect(await write(left)).toMatchObject({ left: [], failure: undefined });
    expect(await readDecisions()).toEqual([["a", dayAt(0)]]);
  });

  it("several processes write the same decisions at once", async () => {
    const writers = Array.from({ length: 4 }, () => createWriter());
    const names = Array.from({ length: 250 }, (_, index) => `rule-${index}`);
    const results = await Promise.all(
      writers.map(async (write, index) => {
        const shifted = [...names.slice(50 * index), ...names.slice(0, 50 * index)];
        let left = shifted.map((name) => pack(decide(name)));
        while (left.length > 0) ({ left } = await write(left));
        return left;
      }),
    );
    expect(results.flat()).toEqual([]);
    expect(await readDecisions()).toHaveLength(250);
    const row = await store.reader
      .selectFrom("log_events")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .execute();
    expect(row[0]!.n).toBe(1_000);
  });

  it.each([
    [-1, 0],
    [0, 0],
    [1, 1],
  ])(
    "S9 what a decision adds counts in the day's limit: with %i more than that, %i events more",
    async (more, events) => {
      const size = async () => {
        const row = await store.reader.selectFrom("log_heads").select("day_size").executeTakeFirstOrThrow();
        return row.day_size;
      };
      await createWriter()([pack(decide("a"))]);
      const [event] = await store.reader.selectFrom("log_events").select(["event", "search_text"]).execute();
      const [decision] = await store.reader.selectFrom("routing_decisions").select("document").execute();
      expect(await size()).toBe(event!.event.length + event!.search_text.length + decision!.document.length);

      day = 1;
      const limit = 2 * ((await size()) + more); // half of it for requests without credentials
      const write = createWriter(store, limit);
      await write([pack(decide("a"))]);
      await write([pack(decide("a"))]);
      const rows = await store.reader.selectFrom("log_events").select("uuid").execute();
      expect(rows).toHaveLength(2 + events);
    },
  );

  it(`knows the last ${MAX_KNOWN} decisions`, async () => {
    const decisions = createDecisionLog("SVC");
    const note = (some: readonly RoutingDecision[]) =>
      store.write(async (transaction) => {
        const { commit } = await decisions.note(transaction, orgId, some);
        commit();
      });
    const isKnown = async (decision: RoutingDecision) => {
      await store.write(({ db }) => db.deleteFrom("routing_decisions").execute());
      await note([decision]);
      return (await readDecisions()).length === 0;
    };
    const all = Array.from({ length: MAX_KNOWN + 1 }, (_, index) => decide(`rule-${index}`));
    await note(all.slice(0, MAX_KNOWN - 1));
    expect(await isKnown(all[0]!)).toBe(true); // now the newest
    await note([all[MAX_KNOWN - 1]!]);
    expect(await isKnown(all[1]!)).toBe(true);
    await note([all[MAX_KNOWN]!]);
    expect(await isKnown(all[3]!)).toBe(true);
    expect(await isKnown(all[2]!)).toBe(false);
  });

  it("goes when no event may refer to it any more; counts go after 90 days", async () => {
    for (const [at, name] of [
      [0, "a"],
      [1, "b"],
      [2, "c"],
    ] as const) {
      day = at;
      await createWriter()([pack(decide(name))]);
      await store.write((transaction) => addCounts(transaction, orgId, [{ ...PAIR, rule_id: name }]));
    }
    const left = async () => ({
      decisions: (await readDecisions()).map(([name]) => name),
      counts: (await readCounts()).map(({ rule_id }) => rule_id),
    });
    day = 38;
    await expireLog(store, 30);
    expect(await left()).toEqual({ decisions: ["a", "b", "c"], counts: ["a", "b", "c"] });
    day = 39;
    await expireLog(store, 30);
    expect(await left()).toEqual({ decisions: ["b", "c"], counts: ["a", "b", "c"] });
    day = 90;
    await expireLog(store, 365);
    expect(await left()).toEqual({ decisions: ["b", "c"], counts: ["a", "b", "c"] });
    day = 91;
    await expireLog(store, 365);
    expect(await left()).toEqual({ decisions: ["b", "c"], counts: ["b", "c"] });
  });

  it("S9 expires many, of several orgs, in small transactions", async () => {
    const otherId = (await createOrg(store, { subdomain: "other", name: "Other" })).id;
    const decisions = createDecisionLog("SVC");
    const all = Array.from({ length: 501 }, (_, index) => decide(`rule-${index}`));
    for (const id of [orgId, otherId]) {
      await store.write(async (transaction) => {
        await decisions.note(
          transaction,
          id,
          all.map((each) => ({ ...each, policyId: id })),
        );
        await addCounts(
          transaction,
          id,
          all.map(({ answer: { rule } }) => ({ ...PAIR, rule_id: rule.id })),
        );
      });
    }
    day = 200;
    let transactions = 0;
    await expireLog({ write: (work) => (transactions++, store.write(work)) }, 90);
    expect(await readDecisions()).toEqual([]);
    expect(await readCounts()).toEqual([]);
    expect(transactions).toBe(1 + 5);
  });
});
