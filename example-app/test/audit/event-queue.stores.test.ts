import { setImmediate } from "node:timers/promises";
import { createEventQueue, MAX_WAITING, WINDOW, type EventQueue } from "../../src/audit/event-queue.js";
import type { EndedRequest } from "../../src/audit/request-facts.js";
import { packRequest } from "../../src/audit/waiting-event.js";
import { createLog } from "../../src/program/process/log.js";
import type { Store } from "../../src/store/store.js";
import type { RequestTenant } from "../../src/tenancy/tenant.js";
import { createOrg, describeStores } from "../support/stores.js";

function buildEnd(orgId: string | undefined, id: string, host?: string, url = "/"): EndedRequest {
  const tenant = orgId === undefined ? undefined : { org: { id: orgId }, trust: { findZone: () => undefined } };
  return {
    facts: {
      id,
      method: "GET",
      url,
      peer: "192.0.2.1",
      rawUserAgent: undefined,
      tenant: tenant as unknown as RequestTenant | undefined,
    },
    isServed: true,
    host,
    statusCode: 200,
    status: 200,
    isFinished: true,
    isSuccess: true,
    errorCode: undefined,
    errorSummary: undefined,
  };
}

/** None. */
const LIMITS = { noiseRate: Infinity, dayLimit: Infinity, orgType: "SVC" };

describeStores((engine, database) => {
  let store: Store;
  let queue: EventQueue;
  let acme: string;
  let other: string;
  let failure: Error | undefined;
  let attempts: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests say what they expect
  let lines: any[];

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "performance", "queueMicrotask", "Date"] });
    store = await (await database()).open();
    acme = (await createOrg(store, { subdomain: "acme", name: "Acme" })).id;
    other = (await createOrg(store, { subdomain: "other", name: "Other" })).id;
    [failure, attempts, lines] = [undefined, 0, []];
    queue = createEventQueue({
      store: {
        write: async (work) => {
          attempts++;
          if (failure) throw failure;
          return store.write(work);
        },
      },
      findOwner: (host) =>
        Promise.resolve(host === "other.example" ? { orgId: other, wasAsked: true } : { orgId: acme, wasAsked: false }),
      log: createLog("info", { write: (line) => void lines.push(JSON.parse(line)) }),
      ...LIMITS,
    });
  });
  afterEach(async () => {
    await queue.close();
    jest.useRealTimers();
  });

  const add = (orgId: string | undefined, count: number, first = 0): void => {
    for (let i = first; i < first + count; i++) queue.add(buildEnd(orgId, `id-${i}`));
  };

  async function listIds(orgId = acme): Promise<string[]> {
    const rows = await store.reader
      .selectFrom("log_events")
      .select("request_id")
      .where("org_id", "=", orgId)
      .orderBy("sequence")
      .execute();
    return rows.map(({ request_id }) => request_id);
  }

  /** Longer than a write would need to begin. */
  async function turns(): Promise<void> {
    for (let i = 0; i < 50; i++) await setImmediate();
  }

  /** Give work that was begun the time that it needs. */
  async function waitFor(condition: () => unknown): Promise<void> {
    while (!(await condition())) await setImmediate();
  }

  it("writes when 50 of an org are waiting, and what is left within a second", async () => {
    add(acme, 49);
    await turns();
    expect(attempts).toBe(0);
    add(acme, 1, 49);
    await waitFor(async () => (await listIds()).length === 50);
    add(acme, 1, 50);
    await turns();
    expect(attempts).toBe(1);
    jest.advanceTimersByTime(1_000);
    await waitFor(async () => (await listIds()).length === 51);
    expect(await listIds()).toEqual(Array.from({ length: 51 }, (_, i) => `id-${i}`));
  });

  it("writes when 50 for each org are waiting, or 500 of many orgs", async () => {
    add(other, 1);
    add(acme, 98);
    await turns();
    expect(attempts).toBe(0);
    add(acme, 1, 98);
    await waitFor(async () => (await listIds()).length === 99);
    await waitFor(async () => (await listIds(other)).length === 1);
    expect(attempts).toBe(2);
    for (let i = 0; i < 10; i++) add((await createOrg(store, { subdomain: `org-${i}`, name: "Org" })).id, 1);
    add(acme, 489, 99);
    await turns();
    expect(attempts).toBe(2);
    add(acme, 1, 588);
    await waitFor(async () => (await listIds()).length === 589);
  });

  it("writes one transaction for each org, of at most 500 events", async () => {
    add(acme, 3);
    add(other, 2);
    queue.add(buildEnd(undefined, "named", "other.example"));
    queue.add(buildEnd(undefined, "unnamed"));
    await queue.close();
    expect(attempts).toBe(2);
    expect(await listIds(other)).toEqual(["id-0", "id-1", "named"]);
    expect(await listIds(acme)).toEqual(["id-0", "id-1", "id-2", "unnamed"]);
  });

  it("leaves out what belongs to no org when there is no default one", async () => {
    const findOwner = () => Promise.resolve(undefined);
    const lonely = createEventQueue({ store, findOwner, log: createLog("silent"), ...LIMITS });
    lonely.add(buildEnd(undefined, "nobody's"));
    lonely.add(buildEnd(acme, "acme's"));
    await lonely.close();
    expect(await listIds()).toEqual(["acme's"]);
  });

  it.each(["ECONNREFUSED", "57P01", "SQLITE_BUSY", "40P01"])(
    "tries again after a failure that passes (%s), and says so once",
    async (code) => {
      failure = Object.assign(new Error("away"), { code });
      add(acme, 2);
      for (const count of [1, 2, 3]) {
        jest.advanceTimersByTime(1_000);
        await waitFor(() => attempts === count);
        for (let i = 0; i < 10; i++) await setImmediate();
      }
      failure = undefined;
      add(acme, 1, 2);
      jest.advanceTimersByTime(1_000);
      await waitFor(async () => (await listIds()).length === 3);
      expect(await listIds()).toEqual(["id-0", "id-1", "id-2"]);
      expect(lines).toMatchObject([{ level: "warn", msg: "log events are waiting for the database", waiting: 2 }]);
    },
  );

  describe("while the database is away", () => {
    const url = `/${"a".repeat(2_000)}`;
    const addLong = (orgId: string, count: number, first = 0): void => {
      for (let i = first; i < first + count; i++) queue.add(buildEnd(orgId, `id-${i}`, undefined, url));
    };
    /** As many events as there is room for. */
    const room = (): number => Math.floor(MAX_WAITING / packRequest(buildEnd(acme, "id-1000", undefined, url)).size);

    beforeEach(async () => {
      failure = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
      addLong(acme, 1_000); // the ids of all others have four digits
      await waitFor(() => lines.length === 1);
    });

    it.each([-1, 0, 1])(
      "S9 keeps at most 16 MiB of events: with %i more or less, and drops the oldest",
      async (more) => {
        const count = room() + more;
        addLong(acme, count - 1_000, 1_000);
        failure = undefined;
        await queue.close();
        const ids = (await listIds()).filter((id) => id.startsWith("id-"));
        const dropped = count - ids.length;
        if (more <= 0) expect(dropped).toBe(0);
        else expect(dropped).toBeGreaterThan(count / 16);
        expect([ids[0], ids.at(-1)]).toEqual([`id-${dropped}`, `id-${count - 1}`]);
        expect(lines.slice(1)).toEqual(
          dropped === 0 ? [] : [expect.objectContaining({ level: "warn", dropped, msg: expect.any(String) })],
        );
        const summaries = store.reader.selectFrom("log_events").select("event");
        const rows = await summaries.where("event_type", "=", "system.log.summary").execute();
        expect(rows.map(({ event }) => JSON.parse(event).debugContext.debugData)).toMatchObject(
          dropped === 0 ? [] : [{ requests: `${dropped}`, queueFull: `${dropped}`, status200: `${dropped}` }],
        );
      },
    );

    it("S9 an org that fills the queue takes no event from another", async () => {
      addLong(other, 100);
      addLong(acme, 2 * room(), 1_000);
      addLong(other, 100, 100);
      failure = undefined;
      await queue.close();
      expect(await listIds(other)).toEqual(Array.from({ length: 200 }, (_, i) => `id-${i}`));
    });
  });

  it("S9 counts what is above the rate for a window, then admits again", async () => {
    const noisy = createEventQueue({
      store,
      findOwner: () => Promise.resolve(undefined),
      log: createLog("silent"),
      ...LIMITS,
      noiseRate: 1,
    });
    const fail = (count: number): void => {
      for (let i = 0; i < count; i++) noisy.add({ ...buildEnd(acme, `id-${i}`), isSuccess: false, status: 404 });
    };
    const counts = async (): Promise<[number, string[]]> => {
      const rows = await store.reader
        .selectFrom("log_events")
        .select(["event_type", "event"])
        .orderBy("sequence")
        .execute();
      const summaries = rows.filter(({ event_type: type }) => type === "system.log.summary");
      const above = summaries.map(({ event }) => JSON.parse(event).debugContext.debugData.aboveRate);
      return [rows.length - summaries.length, above];
    };
    fail(25);
    jest.advanceTimersByTime(WINDOW * 1_000);
    fail(11);
    await noisy.close();
    expect(await counts()).toEqual([20, ["15", "1"]]);
  });

  it("loses what the database refuses for good, nothing else, and says so", async () => {
    add("gone", 2);
    add(acme, 1);
    await queue.close();
    expect(await listIds()).toEqual(["id-0"]);
    expect(lines).toMatchObject([{ level: "error", msg: "log events lost", lost: 2, orgId: "gone", err: {} }]);
  });

  it("does not wait for a database that is away when it is closed", async () => {
    failure = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    add(acme, 2);
    await queue.close();
    expect(lines.at(-1)).toMatchObject({ level: "error", msg: "log events lost", lost: 2 });
  });

  if (engine === "PostgreSQL") {
    it("waits when the org of a request can't be looked up", async () => {
      let isAway = true;
      const patient = createEventQueue({
        store,
        findOwner: () =>
          isAway
            ? Promise.reject(new Error("Connection terminated"))
            : Promise.resolve({ orgId: acme, wasAsked: true }),
        log: createLog("silent"),
        ...LIMITS,
      });
      patient.add(buildEnd(undefined, "late"));
      jest.advanceTimersByTime(1_000);
      for (let i = 0; i < 10; i++) await setImmediate();
      isAway = false;
      await patient.close();
      expect(await listIds()).toEqual(["late"]);
    });
  }
});
