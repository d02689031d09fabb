import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { checkDatabase } from "../../src/program/doctor/database.js";
import { checkReplica } from "../../src/program/doctor/replica.js";
import type { ReplicaState } from "../../src/store/contract/engine.js";
import type { Db } from "../../src/store/contract/schema.js";
import { openStore, type Store } from "../../src/store/store.js";
import type { StoreOptions } from "../../src/store/contract/options.js";
import { createPair, createProxy, describeClusters, type Cluster, type Proxy } from "../support/clusters.js";
import { createOrg } from "../support/stores.js";
import { until as untilSo } from "../../../test/support/until.js";

/** In milliseconds: longer than the moment in which a replica follows, shorter than a test waits. */
const MAX_LAG = 1_000;

describeClusters("PostgreSQL with a replica for reads", () => {
  /** For the next test too, if this one leaves both as they were. */
  let pair: { primary: Cluster; standby: Cluster } | undefined;
  let primary: Cluster;
  let standby: Cluster;
  let toPrimary: Proxy;
  let toStandby: Proxy;
  let name: string;
  let store: Store;
  let orgId: string;
  const opened: Store[] = [];
  const states: unknown[] = [];
  const others: Cluster[] = [];

  beforeEach(async () => {
    ({ primary, standby } = pair ??= await createPair());
    name = await primary.createDatabase();
    toPrimary = await createProxy(primary.port);
    toStandby = await createProxy(standby.port);
    store = await open();
    orgId = (await createOrg(store, { subdomain: "acme", name: "Acme" })).id;
    await untilUsed(true);
  });

  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    states.length = 0;
    for (const proxy of [toPrimary, toStandby]) await proxy.close();
    for (const cluster of others.splice(0)) await cluster.remove();
    if (!(await isWhole().catch(() => false))) await removePair();
  });

  afterAll(removePair);

  async function removePair(): Promise<void> {
    await pair?.standby.remove();
    await pair?.primary.remove();
    pair = undefined;
  }

  /** Whether the standby follows the primary, with the settings that it began with. */
  async function isWhole(): Promise<boolean> {
    await resumeReplay();
    await standby.query("alter system reset max_standby_streaming_delay");
    await standby.query("select pg_reload_conf()");
    const rows = await primary.query("select from pg_stat_replication where state = 'streaming'");
    return rows.length > 0;
  }

  async function open(options: Partial<StoreOptions> = {}): Promise<Store> {
    const urls = { databaseUrl: primary.url(name, toPrimary.port), readUrl: standby.url(name, toStandby.port) };
    const reportReplica = (state: ReplicaState) => states.push(state);
    const one = await openStore({
      ...urls,
      dataFolder: "",
      statementTimeout: 2,
      readMaxLag: MAX_LAG,
      reportReplica,
      ...options,
    });
    opened.push(one);
    return one;
  }

  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    await untilSo(isSo).catch(async (error: unknown) => {
      throw new Error(`${String(error)}, ${await describeReplica()}`);
    });
  }

  /** Why it gets no reads, for a failure of a test. */
  async function describeReplica(): Promise<string> {
    const told = await diagnose().catch(String);
    const received = await standby
      .query("select pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn(), (select status from pg_stat_wal_receiver)")
      .catch(String);
    const read = await readName(store).catch(String);
    return JSON.stringify({ stats: store.stats().replica, states, told, received, read });
  }

  const untilUsed = (isUsed: boolean, of = store) => until(() => of.stats().replica?.isUsed === isUsed);

  const isStandby = async (db: Db) =>
    (await sql<{ here: boolean }>`select pg_is_in_recovery() as here`.execute(db)).rows[0]!.here;

  const placeOf = async (db: Db) => ((await isStandby(db)) ? "replica" : "primary");

  const readOf = async (of: Store) => of.forOrg(orgId).read(placeOf);

  async function rename(by: Store, text: string): Promise<void> {
    await by.forOrg(orgId).write(async ({ db, touch }) => {
      await touch(orgId);
      await db.updateTable("orgs").set({ name: text }).where("id", "=", orgId).execute();
    });
  }

  const readName = (of: Store) =>
    of.forOrg(orgId).read(async (db) => {
      const row = await db.selectFrom("orgs").select("name").where("id", "=", orgId).executeTakeFirstOrThrow();
      return `${row.name} on ${await placeOf(db)}`;
    });

  /** What the doctor says. */
  async function diagnose(readUrl = standby.url(name, toStandby.port)): Promise<string[]> {
    const databaseUrl = primary.url(name);
    const { inspection } = await checkDatabase({ databaseUrl, dataFolder: "" });
    const findings = await checkReplica({ databaseUrl, readUrl, readMaxLag: MAX_LAG }, inspection);
    return findings.map(({ level, text, remedy }) => [level, text, remedy].filter(Boolean).join(" "));
  }

  const pauseReplay = () => standby.query("select pg_wal_replay_pause()", name);
  const resumeReplay = () => standby.query("select pg_wal_replay_resume()", name);

  it("lists, searches, snapshots, rules and profiles come from the replica; single records and tokens from the primary", async () => {
    const org = store.forOrg(orgId);
    const range = { fetchLimit: 1, after: undefined, before: undefined };
    const find = async (db: Db) => [await placeOf(db)];
    const search = (tests: number) =>
      org.search(() => ({ tests, order: [], find, skip: () => Promise.resolve(undefined) }), range);
    expect((await search(0)).rows).toEqual(["replica"]);
    expect((await search(1)).rows).toEqual(["replica"]);
    await until(async () => (await readOf(store)) === "replica");
    expect(await org.query(placeOf)).toBe("primary");
    expect(await org.write(({ db }) => placeOf(db))).toBe("primary");
    expect(await store.read(placeOf)).toBe("primary");

    const readsBefore = store.stats().replica!.reads;
    expect(await store.loadRoutingData(orgId)).toMatchObject({ revision: expect.any(Number) as number });
    expect(await store.loadTrustData(orgId)).toMatchObject({ trustedOrigins: [] });
    expect(await store.findUserProfile(orgId, "joe@example.com", ["email"])).toBeUndefined();
    const reads = store.stats().replica!.reads;
    expect(reads).toEqual({ replica: readsBefore.replica + 3, primary: readsBefore.primary });
    await store.findApiToken(orgId, "none");
    await store.currentRevision(orgId);
    expect(store.stats().replica!.reads).toEqual(reads);
  });

  it("a client that wrote sees it at once, also in another process, while the replica does not follow", async () => {
    const other = await open();
    await untilUsed(true, other);
    await pauseReplay();
    await until(async () => (await readName(store)) === "Acme on replica"); // it has all there is
    for (let count = 0; count < 5; count++) {
      const [writer, reader] = count % 2 === 0 ? [store, other] : [other, store];
      await rename(writer, `Acme ${count}`);
      expect(await Promise.all([readName(reader), readName(writer)])).toEqual(
        Array(2).fill(`Acme ${count} on primary`),
      );
      const data = await reader.loadRoutingData(orgId);
      expect(data?.revision).toBe(await writer.currentRevision(orgId));
    }
    await until(() => store.stats().replica!.lag > MAX_LAG / 1_000);
    expect(await diagnose()).toEqual([expect.stringMatching(/^warning it is more than 1000 ms behind /)]);
    await resumeReplay();
    await Promise.all([untilUsed(true), untilUsed(true, other)]);
    await until(async () => (await readName(other)) === "Acme 4 on replica");
    expect(await diagnose()).toEqual(["ok it follows the primary"]);
    await until(() => store.stats().replica!.lag < MAX_LAG / 1_000);
  });

  it("while many write and read, each read sees what was written before, and most come from the replica", async () => {
    const other = await open();
    await untilUsed(true, other);
    const places: (string | undefined)[] = [];
    for (let count = 0; count < 50; count++) {
      const [writer, reader] = count % 2 === 0 ? [store, other] : [other, store];
      await rename(writer, String(count));
      const texts = await Promise.all(Array.from({ length: 4 }, () => readName(reader)));
      for (const text of texts) expect(text).toMatch(new RegExp(`^${count} on `));
      places.push(...texts.map((text) => text.split(" on ")[1]));
    }
    expect(places.filter((place) => place === "replica").length).toBeGreaterThan(places.length / 2);
  });

  it("a replica that is behind is given up before a read has waited for it", async () => {
    const other = await open();
    await untilUsed(true, other);
    await pauseReplay();
    await rename(store, "New");
    await untilUsed(false, other);
    const begin = performance.now();
    expect(await readName(other)).toBe("New on primary");
    expect(performance.now() - begin).toBeLessThan(MAX_LAG);
  });

  it("reads from it also without sessions, as behind PgBouncer", async () => {
    const pooled = await open({ listenUrl: primary.url(name) });
    await untilUsed(true, pooled);
    await rename(store, "Pooled");
    await until(async () => (await readName(pooled)) === "Pooled on replica");
    const timeout = async (db: Db) =>
      (await sql<{ timeout: string }>`select current_setting('statement_timeout') as timeout`.execute(db)).rows;
    expect(await pooled.forOrg(orgId).read(timeout)).toEqual([{ timeout: "2s" }]);
  });

  it("a read waits for the replica as long as --read-max-lag, and the next ones not at all", async () => {
    const patient = await open({ readMaxLag: 10_000 });
    await untilUsed(true, patient);
    await pauseReplay();
    await rename(store, "Later");
    const reading = readName(patient);
    const begin = performance.now();
    expect(await readName(store)).toBe("Later on primary");
    const waited = performance.now() - begin;
    expect(waited).toBeLessThan(2 * MAX_LAG);
    await untilUsed(false);
    const next = performance.now();
    expect(await readName(store)).toBe("Later on primary");
    expect(performance.now() - next).toBeLessThan(MAX_LAG);
    await resumeReplay();
    expect(await reading).toBe("Later on replica");
  });

  it.each([
    ["refuses connections", () => toStandby.cut(), () => toStandby.restore()],
    ["is killed", () => standby.end("SIGKILL"), () => standby.start()],
    ["is shut down", () => standby.end("SIGINT"), () => standby.start()],
  ])("no read fails when the replica %s, and it gets reads again when it is back", async (_, end, start) => {
    let isOver = false;
    const failures: unknown[] = [];
    const readers = Array.from({ length: 4 }, async () => {
      while (!isOver) await readOf(store).catch((error: unknown) => failures.push(error));
    });
    await end();
    await untilUsed(false);
    expect(await readOf(store)).toBe("primary");
    expect(await diagnose()).toEqual([expect.stringMatching(/^fault The database .* can't be read: .*--read-url$/)]);
    await start();
    await untilUsed(true);
    isOver = true;
    await Promise.all(readers);
    expect(failures).toEqual([]);
    await until(async () => (await readOf(store)) === "replica");
  });

  it("a replica that hangs holds a read up for less than a second, once", async () => {
    const durations: number[] = [];
    const read = async () => {
      const begin = performance.now();
      const place = await readOf(store);
      durations.push(performance.now() - begin);
      return place;
    };
    let isReading = false;
    const long = store.forOrg(orgId).read(async (db) => {
      const place = await placeOf(db);
      isReading = true;
      if (place === "replica") await sql`select pg_sleep(1)`.execute(db);
      return place;
    });
    await until(() => isReading);
    toStandby.hang();
    expect(await Promise.all([long, ...Array.from({ length: 8 }, read)])).toEqual(Array(9).fill("primary"));
    expect(Math.max(...durations)).toBeLessThan(5_000); // not as long as it hangs
    durations.length = 0;
    for (let count = 0; count < 20; count++) expect(await read()).toBe("primary");
    expect(durations.sort((a, b) => a - b)[10]).toBeLessThan(400); // a busy machine holds up some, not most
    await toStandby.restore();
    await untilUsed(true);
    await until(async () => (await readOf(store)) === "replica");
  });

  it("a replica that hangs at the start keeps nothing from starting", async () => {
    toStandby.hang();
    const states: unknown[] = [];
    const other = await open({ reportReplica: (state) => states.push(state) });
    const begin = performance.now();
    expect(await readOf(other)).toBe("primary");
    expect(performance.now() - begin).toBeLessThan(1_500); // it tries to connect for two seconds
    await toStandby.restore();
    await untilUsed(true, other);
    expect(states.at(-1)).toEqual({ isUsed: true, reason: undefined });
  });

  it.each([
    ["cancels its statement", sql`select count(*), pg_sleep(1) from dead`],
    ["closes its connection between two statements", sql`select 1`],
  ])("a read is repeated on the primary when the replica, for the log, %s", async (_, statement) => {
    await standby.query("alter system set max_standby_streaming_delay = 0");
    await standby.query("select pg_reload_conf()");
    await primary.query("create table dead as select generate_series(1, 1000) as id", name);
    const places: string[] = [];
    const count = await store.forOrg(orgId).read(async (db) => {
      const place = await placeOf(db);
      places.push(place);
      const select = sql<{ count: number }>`select count(*) as count from dead`;
      await select.execute(db);
      if (place === "replica") {
        const clean = async () => {
          await primary.query("delete from dead where id > 500", name);
          await primary.query("vacuum dead", name);
          const [end] = await primary.query("select pg_current_wal_lsn() as lsn");
          const replayed = `select pg_last_wal_replay_lsn() >= '${String(end?.["lsn"])}' as here`;
          await until(async () => (await standby.query(replayed))[0]?.["here"] === true); // it ended what was in its way
        };
        await Promise.all([clean(), statement.execute(db)]);
      }
      return (await select.execute(db)).rows[0]?.count;
    });
    expect(places).toEqual(["replica", "primary"]);
    expect(count).toBe(500);
    await until(async () => (await readOf(store)) === "replica");
  });

  it("other failures of a read are not repeated: those of its own, and a statement that takes too long", async () => {
    const fail = async (failure: (db: Db) => Promise<unknown>) => {
      const places: string[] = [];
      await untilUsed(true);
      const error: unknown = await store
        .forOrg(orgId)
        .read(async (db) => {
          places.push(await placeOf(db));
          return failure(db);
        })
        .catch((reason: unknown) => reason);
      return { places, error };
    };
    const own = new Error("none");
    expect(await fail(() => Promise.reject(own))).toEqual({ places: ["replica"], error: own });
    expect(await fail((db) => sql`select pg_sleep(3)`.execute(db))).toMatchObject({
      places: ["replica"],
      error: { code: "57014" },
    });
    expect(await fail((db) => sql`select * from no_table`.execute(db))).toMatchObject({
      places: ["replica", "primary"],
      error: { code: "42P01" },
    });
  });

  it("a replica that was promoted gets no reads, before and after the primary is there", async () => {
    await standby.promote();
    await until(async () => (await standby.query("select pg_is_in_recovery() as here"))[0]?.["here"] === false);
    await standby.query("update orgs set name = 'Wrong'", name);
    expect(await readName(store)).toBe("Acme on primary");
    await untilUsed(false);
    expect(await diagnose()).toEqual([expect.stringMatching(/^fault it is no standby --read-url must lead/)]);
    await sleep(2_000);
    expect(store.stats().replica!.isUsed).toBe(false);
    toPrimary.lead(standby.port);
    await toPrimary.cut();
    await toPrimary.restore();
    await until(async () => (await readName(store).catch(() => undefined)) !== undefined); // its connections were cut
    expect(await readName(store)).toBe("Wrong on primary");
  });

  it.each([
    ["another cluster", () => createPair()],
    ["another database of the same cluster", () => Promise.resolve(undefined)],
  ])("%s gets no reads", async (_, create) => {
    const other = await create();
    if (other) others.push(other.standby, other.primary);
    const states: { reason: string | undefined }[] = [];
    const readUrl = other ? other.standby.url("postgres") : standby.url("postgres");
    const misled = await open({ readUrl, reportReplica: (state) => states.push(state) });
    await until(() => states.length > 0);
    expect(states).toEqual([{ isUsed: false, reason: "it is another database than the primary" }]);
    expect(await readOf(misled)).toBe("primary");
    expect(await diagnose(readUrl)).toEqual([expect.stringMatching(/^fault it is another database than the primary /)]);
  });

  it("after a failover a replica gets reads only if it follows the new primary, whatever its position", async () => {
    const heir = await primary.createStandby();
    others.push(heir);
    await heir.query("alter system set primary_conninfo = ''"); // receives no more
    await heir.query("select pg_reload_conf()");
    await until(async () => (await heir.query("select from pg_stat_wal_receiver")).length === 0);
    await primary.query("create table lost as select generate_series(1, 10000)", name); // only the replica gets it
    await rename(store, "Lost");
    await until(async () => (await readName(store)) === "Lost on replica");
    await primary.end("SIGKILL");
    await heir.promote();
    toPrimary.lead(heir.port);
    for (;;) {
      const text = await readName(store).catch(() => undefined);
      if (text === "Acme on primary") break; // the heir does not have what was lost
      expect(text).toBeUndefined();
    }
    await rename(store, "New");
    expect(await readName(store)).toBe("New on primary");
    await sleep(1_500);
    expect(store.stats().replica!.isUsed).toBe(false);
  });

  it("after a failover a replica that follows the new primary gets reads again", async () => {
    const heir = await primary.createStandby();
    others.push(heir);
    await primary.end("SIGINT"); // both have all of it
    await heir.promote();
    toPrimary.lead(heir.port);
    await standby.query(`alter system set primary_conninfo = 'host=127.0.0.1 port=${heir.port} user=torture'`);
    await standby.query("select pg_reload_conf()");
    await untilUsed(true);
    for (;;) if ((await rename(store, "New").catch(() => false)) !== false) break;
    await until(async () => (await readName(store)) === "New on replica");
  });
});
