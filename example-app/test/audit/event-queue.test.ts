import { setImmediate } from "node:timers/promises";
import { createEventQueue, MAX_WAITING, type EventQueue } from "../../src/audit/event-queue.js";
import type { EndedRequest } from "../../src/audit/request-facts.js";
import { createLog } from "../../src/program/log.js";
import type { Store } from "../../src/store/store.js";
import type { RequestTenant } from "../../src/tenancy/tenant.js";
import { createOrg, describeStores } from "../support/stores.js";

function buildEnd(orgId: string | undefined, id: string, host?: string): EndedRequest {
  const tenant = orgId === undefined ? undefined : { org: { id: orgId }, routing: { findZone: () => undefined } };
  return {
    facts: {
      id,
      method: "GET",
      url: "/",
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
      findOrgId: (host) => Promise.resolve(host === "other.example" ? other : acme),
      log: createLog("info", { write: (line) => void lines.push(JSON.parse(line)) }),
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

  /** Give work that was begun the time that it needs. */
  async function waitFor(condition: () => unknown): Promise<void> {
    while (!(await condition())) await setImmediate();
  }

  it("writes when 500 are waiting, and what is left within a second", async () => {
    add(acme, 499);
    for (let i = 0; i < 50; i++) await setImmediate();
    expect(attempts).toBe(0);
    add(acme, 1, 499);
    await waitFor(async () => (await listIds()).length === 500);
    add(acme, 1, 500);
    for (let i = 0; i < 50; i++) await setImmediate();
    expect(attempts).toBe(1);
    jest.advanceTimersByTime(1_000);
    await waitFor(async () => (await listIds()).length === 501);
    expect(await listIds()).toEqual(Array.from({ length: 501 }, (_, i) => `id-${i}`));
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
    const lonely = createEventQueue({ store, findOrgId: () => Promise.resolve(undefined), log: createLog("silent") });
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

  it.each([
    [MAX_WAITING - 1, 0],
    [MAX_WAITING, 0],
    [MAX_WAITING + 1, 1],
  ])("keeps at most 10,000 events: of %i it drops %i, the oldest", async (count, dropped) => {
    failure = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
    add(acme, 600);
    await waitFor(() => lines.length === 1);
    add(acme, count - 600, 600);
    failure = undefined;
    await queue.close();
    const ids = await listIds();
    expect(ids).toHaveLength(count - dropped);
    expect([ids[0], ids.at(-1)]).toEqual([`id-${dropped}`, `id-${count - 1}`]);
    expect(lines.slice(1)).toEqual(
      dropped === 0 ? [] : [expect.objectContaining({ level: "warn", dropped, msg: expect.any(String) })],
    );
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
        findOrgId: () => (isAway ? Promise.reject(new Error("Connection terminated")) : Promise.resolve(acme)),
        log: createLog("silent"),
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
