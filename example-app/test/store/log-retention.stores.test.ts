import { sql } from "kysely";
import { createLog } from "../../src/program/process/log.js";
import { appendLogEvents } from "../../src/store/log/events.js";
import { expireLog, prepareLog, startLogRetention } from "../../src/store/log/retention.js";
import { openStore, type Store } from "../../src/store/store.js";
import { buildEvent } from "../support/logs.js";
import { startTestServer } from "../support/server.js";
import { createOrg, describePostgres, describeStores, type TestDatabase } from "../support/stores.js";

const DAY_MS = 86_400_000;

/** A Wednesday. */
const START = Date.parse("2026-01-07T12:00:00.000Z");

const daysAfterStart = (days: number): Date => new Date(START + days * DAY_MS);

/** A store whose clock the test moves. */
async function openWithClock(
  data: TestDatabase,
): Promise<{ store: Store; orgId: string; moveTo: (day: number) => void }> {
  let day = 0;
  const store = await data.open({ clock: () => daysAfterStart(day) });
  const { id } = await createOrg(store, { subdomain: "demo", name: "Demo" });
  return { store, orgId: id, moveTo: (next) => (day = next) };
}

const append = (store: Store, orgId: string, title: string, count = 1): Promise<void> =>
  store.write((transaction) =>
    appendLogEvents(
      transaction,
      orgId,
      Array.from({ length: count }, () => buildEvent({ displayMessage: title })),
    ),
  );

async function listTitles(store: Store): Promise<string[]> {
  const rows = await store.reader.selectFrom("log_events").select("event").orderBy("published").execute();
  return rows.map(({ event }) => JSON.parse(event).displayMessage);
}

async function listPartitions(store: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'log_events'::regclass order by relname
  `.execute(store.reader);
  return rows.map(({ name }) => name.replace("log_events_", ""));
}

describeStores((engine, database) => {
  it("removes what is older than the days it is kept, keeps the rest, and writing goes on", async () => {
    const { store, orgId, moveTo } = await openWithClock(await database({ bare: true }));
    for (let day = 0; day <= 120; day += 10) {
      moveTo(day);
      await prepareLog(store);
      await append(store, orgId, String(day));
      await expireLog(store, 90);
    }
    // on PostgreSQL all of the week of day 30, the oldest that is not old enough, is there
    expect(await listTitles(store)).toEqual(["30", "40", "50", "60", "70", "80", "90", "100", "110", "120"]);
    moveTo(121);
    await expireLog(store, 90);
    expect((await listTitles(store))[0]).toBe(engine === "SQLite" ? "40" : "30");
    moveTo(121 + 7);
    await expireLog(store, 90);
    expect((await listTitles(store))[0]).toBe("40");
    await append(store, orgId, "128");
    expect((await listTitles(store)).at(-1)).toBe("128");
  });

  it("removes everything of a long pause, in every org, and goes on with the numbers", async () => {
    const { store, orgId, moveTo } = await openWithClock(await database({ bare: true }));
    const other = await createOrg(store, { subdomain: "other", name: "Other" });
    await append(store, orgId, "old", 1_201);
    await append(store, other.id, "old", 499);
    moveTo(1_000);
    await prepareLog(store);
    await append(store, orgId, "young");
    await expireLog(store, 90);
    expect(await listTitles(store)).toEqual(["young"]);
    const row = await store.reader.selectFrom("log_events").select("sequence").executeTakeFirst();
    expect(row).toEqual({ sequence: 1_202 });
  });

  it("can be run by several processes at once, while others write", async () => {
    const data = await database({ bare: true });
    const { store, orgId } = await openWithClock(data);
    await append(store, orgId, "old", 600);
    const later = { clock: () => daysAfterStart(200) };
    const stores = [await data.open(later), await data.open(later), await data.open(later)];
    await Promise.all(
      stores.flatMap((one) => [
        untilUnlocked(() => prepareLog(one)).then(() => append(one, orgId, "young")),
        untilUnlocked(() => expireLog(one, 90)),
      ]),
    );
    await expireLog(stores[0]!, 90);
    expect(await listTitles(store)).toEqual(Array(3).fill("young"));
  });

  describe("startLogRetention", () => {
    it("removes what is old at the start, and every hour, until it is closed", async () => {
      const { store, orgId, moveTo } = await openWithClock(await database({ bare: true }));
      await append(store, orgId, "first");
      moveTo(200);
      const log = createLog("silent"); // its destination has a timer
      jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "performance", "queueMicrotask", "Date"] });
      try {
        const retention = await startLogRetention(store, { days: 90, log });
        await append(store, orgId, "second");
        while ((await listTitles(store)).includes("first"));
        moveTo(400);
        await append(store, orgId, "third");
        jest.advanceTimersByTime(3_600_000);
        while ((await listTitles(store)).includes("second"));
        await retention.close();
        expect(await listTitles(store)).toEqual(["third"]);
        moveTo(600);
        jest.advanceTimersByTime(3_600_000);
        expect(jest.getTimerCount()).toBe(0);
      } finally {
        jest.useRealTimers();
      }
    });

    it("says what keeps it from doing so, and neither fails nor ends", async () => {
      // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests say what they expect
      const lines: any[] = [];
      const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) });
      const write = () => Promise.reject(new Error("away"));
      const retention = await startLogRetention({ write }, { days: 90, log });
      await retention.close();
      const line = { level: "warn", err: { message: "away" }, msg: "the log could not be brought up to date" };
      expect(lines).toMatchObject([line, line]);
    });
  });
});

describeStores((_engine, database) => {
  it("is done by a server, for as many days as it is told", async () => {
    const data = await database({ bare: true });
    let clock = new Date();
    const store = await data.open({ clock: () => clock });
    const { id } = await createOrg(store, { subdomain: "demo", name: "Demo" });
    for (const days of [40, 20]) {
      clock = new Date(Date.now() - days * DAY_MS);
      await append(store, id, String(days));
    }
    const server = await startTestServer(data, { logRetentionDays: 30 });
    try {
      while ((await listTitles(store)).includes("40"));
      expect(await listTitles(store)).toEqual(["20"]);
    } finally {
      await server.close();
    }
  });
});

describePostgres((_engine, database) => {
  it("has a partition for this week, Monday to Sunday, and four to come", async () => {
    const { store, orgId, moveTo } = await openWithClock(await database({ bare: true }));
    expect(await listPartitions(store)).toEqual(["rest"]);
    await prepareLog(store);
    const WEEKS = ["20260105", "20260112", "20260119", "20260126", "20260202"];
    expect(await listPartitions(store)).toEqual([...WEEKS, "rest"]);
    moveTo(4.49); // Sunday, a moment before midnight
    await prepareLog(store);
    expect(await listPartitions(store)).toEqual([...WEEKS, "rest"]);
    moveTo(4.5);
    await prepareLog(store);
    expect(await listPartitions(store)).toEqual([...WEEKS, "20260209", "rest"]);
    await append(store, orgId, "Monday");
    expect((await sql`select 1 from log_events_20260112`.execute(store.reader)).rows).toHaveLength(1);
  });

  it("takes events of a time without a partition, whose week then gets none", async () => {
    const { store, orgId, moveTo } = await openWithClock(await database({ bare: true }));
    await append(store, orgId, "early");
    moveTo(-7);
    await prepareLog(store);
    expect(await listPartitions(store)).toEqual(["20251229", "20260112", "20260119", "20260126", "rest"]);
    moveTo(0);
    await append(store, orgId, "again");
    expect(await listTitles(store)).toEqual(["early", "again"]);
    moveTo(130);
    await expireLog(store, 90);
    expect(await listTitles(store)).toEqual([]);
    expect(await listPartitions(store)).toEqual(["rest"]);
  });

  it("gives partitions the indexes and the collation of the log", async () => {
    const { store } = await openWithClock(await database({ bare: true }));
    await prepareLog(store);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_indexes where tablename in ('log_events_20260105', 'log_events_rest')
      group by tablename
    `.execute(store.reader);
    expect(rows).toEqual([{ count: 3 }, { count: 3 }]);
  });

  it("gives way to a transaction that reads the log, and does its work later", async () => {
    const data = await database({ bare: true });
    const { store, orgId, moveTo } = await openWithClock(data);
    await prepareLog(store);
    await append(store, orgId, "old");
    moveTo(200);
    await store.read(async (db) => {
      await db.selectFrom("log_events").selectAll().execute();
      await expect(expireLog(store, 90)).rejects.toMatchObject({ code: "55P03" });
    });
    await expireLog(store, 90);
    expect(await listTitles(store)).toEqual([]);
  });

  it("reads only the weeks that are asked for", async () => {
    const { store, orgId } = await openWithClock(await database({ bare: true }));
    await prepareLog(store);
    const { rows } = await sql`
      explain select event from log_events where org_id = ${orgId}
      and published >= ${"2026-01-13T00:00:00.000Z"} and published < ${"2026-01-20T00:00:00.000Z"}
      order by published, sequence limit 101
    `.execute(store.reader);
    const names = new Set(JSON.stringify(rows).match(/log_events_(?:\d{8}|rest)(?= )/g));
    expect([...names].sort()).toEqual(["log_events_20260112", "log_events_20260119"]);
  });

  it("is opened and prepared by many processes at once", async () => {
    const { options } = await database({ bare: true });
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(options)));
    try {
      await Promise.all(stores.map(prepareLog));
      expect(await listPartitions(stores[0]!)).toHaveLength(6);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });
});

/** Repeats what gave way to somebody else's lock, as it does each hour. */
async function untilUnlocked(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "55P03") throw error;
    }
  }
}
