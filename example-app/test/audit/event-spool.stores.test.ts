import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createEventQueue, type EventQueue } from "../../src/audit/event-queue.js";
import type { EndedRequest } from "../../src/audit/request-facts.js";
import { formatEvent } from "../../src/audit/spool/segment-file.js";
import { openSpool, SPOOL_FOLDER } from "../../src/audit/spool/open-spool.js";
import { packRequest } from "../../src/audit/waiting-event.js";
import { eraseUser } from "../../src/program/operations/erase.js";
import { createLog } from "../../src/program/process/log.js";
import type { Store } from "../../src/store/store.js";
import type { RequestTenant } from "../../src/tenancy/tenant.js";
import { until } from "../../../test/support/until.js";
import { createOrg, describeStores, type TestDatabase } from "../support/stores.js";
import { insertUsers, storedUser } from "../support/users.js";

const AWAY = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
const SECRET = "s".repeat(32);

function buildEnd(orgId: string, id: string, url = "/joe%40example.com"): EndedRequest {
  const tenant = { org: { id: orgId }, trust: { findZone: () => undefined } } as unknown as RequestTenant;
  const facts = { id, method: "GET", url, peer: "192.0.2.1", rawUserAgent: "Agent/1", tenant };
  const outcome = { isFinished: true, isSuccess: true, errorCode: undefined, errorSummary: undefined };
  return { facts, isServed: true, host: undefined, statusCode: 200, status: 200, ...outcome };
}

describeStores((_engine, database) => {
  let store: Store;
  let options: TestDatabase["options"];
  let folder: string;
  let acme: string;
  let other: string;
  let failure: { before?: Error; after?: Error };
  let queue: EventQueue;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests say what they expect
  let lines: any[];

  beforeEach(async () => {
    const { options: reached, open } = await database();
    options = reached;
    store = await open();
    folder = join(options.dataFolder, SPOOL_FOLDER);
    acme = (await createOrg(store, { subdomain: "acme", name: "Acme" })).id;
    other = (await createOrg(store, { subdomain: "other", name: "Other" })).id;
    [failure, lines] = [{}, []];
    queue = start();
  });
  afterEach(async () => {
    failure = {};
    await queue.close();
  });

  function openOwn(secrets = [SECRET], spoolBytes = 1_000_000) {
    const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) });
    return openSpool({ dataFolder: join(folder, ".."), spoolBytes, logRetentionDays: 90, secrets }, log);
  }

  function start(secrets?: string[], spoolBytes?: number): EventQueue {
    return createEventQueue({
      store: {
        async write(work) {
          if (failure.before) throw failure.before;
          const result = await store.write(work);
          if (failure.after) throw failure.after;
          return result;
        },
      },
      findOwner: () => Promise.resolve(undefined),
      log: createLog("info", { write: (line) => void lines.push(JSON.parse(line)) }),
      spool: openOwn(secrets, spoolBytes),
      ...{ noiseRate: Infinity, dayLimit: Infinity, orgType: "SVC" },
    });
  }

  const add = (orgId: string, count: number, first = 0): void => {
    for (let i = first; i < first + count; i++) queue.add(buildEnd(orgId, `id-${i}`));
  };
  const segments = (): string[] =>
    statSync(folder, { throwIfNoEntry: false }) === undefined
      ? []
      : readdirSync(folder)
          .filter((name) => name.endsWith(".events"))
          .map((name) => join(folder, name));
  const messages = (): string[] => lines.map(({ msg }) => msg);
  const range = (count: number, first = 0): string[] => Array.from({ length: count }, (_, i) => `id-${first + i}`);

  async function listEvents(orgId = acme) {
    const events = store.reader.selectFrom("log_events").select(["request_id", "event", "search_text"]);
    return events
      .where("org_id", "=", orgId)
      .where("event_type", "=", "system.http.request")
      .orderBy("sequence")
      .execute();
  }
  const listIds = async (orgId?: string) => (await listEvents(orgId)).map(({ request_id: id }) => id);

  /** Events on disk, which nobody has. */
  async function leave(count: number): Promise<void> {
    failure.before = AWAY;
    add(acme, count);
    await queue.close();
    expect(segments()).toHaveLength(1);
    failure = {};
  }

  it("events go to disk, encrypted, while the database does not take them, and into the log in their order after it", async () => {
    failure.before = AWAY;
    add(acme, 500);
    await until(() => queue.stats().spooled > 0 && queue.stats().waiting === 0);
    const [file = ""] = segments();
    const text = readFileSync(file, "latin1");
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    expect([text.includes("example.com"), text.includes(acme)]).toEqual([false, false]);
    expect(queue.stats()).toMatchObject({ spooled: statSync(file).size, dropped: 0 });
    add(acme, 500, 500);
    add(other, 1);
    failure = {};
    await until(async () => (await listIds()).length === 1_000 && (await listIds(other)).length === 1);
    expect(await listIds()).toEqual(range(1_000));
    await until(() => readdirSync(folder).length === 0);
    expect(queue.stats().spooled).toBe(0);
    expect(messages()).toEqual([
      "log events are waiting for the database",
      "log events wait on disk for the database",
      "no log events wait on disk any more",
    ]);
  });

  it("what a process left when it ended is written by the next one, once", async () => {
    await leave(700);
    queue = start();
    await until(async () => (await listIds()).length === 700 && segments().length === 0);
    expect(await listIds()).toEqual(range(700));
  });

  it("an event that was written before its process was killed is not written again", async () => {
    await leave(600);
    const [file = ""] = segments();
    const content = readFileSync(file);
    failure.after = Object.assign(new Error("the answer is lost"), { code: "ECONNRESET" });
    queue = start();
    await until(async () => (await listIds()).length > 0);
    failure = {};
    await until(async () => (await listIds()).length === 600 && segments().length === 0);
    await queue.close();
    writeFileSync(file, content); // as if it had not been removed
    queue = start();
    await until(() => segments().length === 0);
    expect(await listIds()).toEqual(range(600));
  });

  it("of two processes one takes what a third left", async () => {
    await leave(3);
    const spools = [openOwn(), openOwn()];
    await Promise.all(spools.map((spool) => spool.adopt()));
    expect(spools.map(({ isEmpty }) => isEmpty).sort()).toEqual([false, true]);
    await Promise.all(spools.map((spool) => spool.close()));
  });

  it.each([
    ["half a frame", -20],
    ["half the length of a frame", 2],
  ])("what was written in part is skipped: %s", async (_what, length) => {
    await leave(700); // two frames
    const [file = ""] = segments();
    const { size } = statSync(file);
    if (length < 0) truncateSync(file, size + length);
    else writeFileSync(file, Buffer.alloc(length), { flag: "a" });
    queue = start();
    await until(() => segments().length === 0);
    const ids = await listIds();
    expect(ids).toEqual(range(ids.length));
    if (length < 0) expect(ids.length).toBeGreaterThan(200);
    else expect(ids).toHaveLength(700);
    expect(messages()).toContain("log events lost: a part of the file is damaged");
  });

  it("a file that does not open with the secrets is kept for a person, until it is as old as the log", async () => {
    await leave(3);
    queue = start(["t".repeat(32)]);
    await until(() => segments().length === 0);
    expect(messages()).toContain("log events on disk can't be read");
    const [name = ""] = readdirSync(folder);
    expect(name).toMatch(/\.events\.unreadable$/);
    await queue.close();
    utimesSync(join(folder, name), 0, Date.now() / 1_000 - 91 * 86_400);
    queue = start();
    await until(() => readdirSync(folder).length === 0);
    expect(await listIds()).toEqual([]);
  });

  it("a secret that is no longer the newest still opens what it encrypted", async () => {
    await leave(3);
    queue = start(["t".repeat(32), SECRET]);
    await until(async () => (await listIds()).length === 3);
  });

  it("what is older than the log keeps is not written", async () => {
    await leave(3);
    const [file = ""] = segments();
    utimesSync(file, 0, Date.now() / 1_000 - 91 * 86_400);
    queue = start();
    await until(() => segments().length === 0);
    expect(messages()).toContain("log events on disk are too old: they are removed");
    expect(await listIds()).toEqual([]);
  });

  it.each([-1, 0, 1])("S9 an org has at most what is left free: %i bytes more than for two events", async (more) => {
    await queue.close();
    const event = packRequest(buildEnd(acme, "id-1"));
    const spool = openOwn([SECRET], 3 * formatEvent(event).length + more);
    expect(await spool.keep([event, event])).toHaveLength(more < 0 ? 1 : 0);
    await spool.close();
    queue = start();
  });

  it("S9 an org that fills the spool takes no room from another", async () => {
    await queue.close();
    const spool = openOwn([SECRET], 100_000);
    const build = (orgId: string, id: number) => packRequest(buildEnd(orgId, `id-${id}`));
    const flood = Array.from({ length: 2_000 }, (_, id) => build(acme, id));
    const refused = await spool.keep(flood);
    expect(refused.length).toBeGreaterThan(1_000);
    expect(refused.at(-1)).toBe(flood.at(-1));
    expect(await spool.keep(Array.from({ length: 20 }, (_, id) => build(other, id)))).toEqual([]);
    expect(spool.size).toBeLessThan(100_000);
    await spool.close();
    queue = start();
  });

  it("events wait in memory when the disk does not take them, and the log says so once", async () => {
    mkdirSync(join(folder, ".."), { recursive: true });
    writeFileSync(folder, ""); // no folder
    failure.before = AWAY;
    add(acme, 500);
    const text = "log events can't be kept on disk: they wait in memory";
    await until(() => messages().includes(text));
    add(acme, 500, 500);
    for (let i = 0; i < 20; i++) await setImmediate();
    failure = {};
    await until(async () => (await listIds()).length === 1_000);
    expect(messages().filter((each) => each === text)).toHaveLength(1);
  });

  it("an event from before an erasure does not bring the person back", async () => {
    const path = "/?login=joe%40example.com";
    failure.before = AWAY;
    queue.add(buildEnd(acme, "id-0", path));
    queue.add(buildEnd(other, "id-0", path));
    await queue.close();
    await insertUsers(options, [storedUser("joe@example.com")], "acme");
    await eraseUser(store, { org: "acme", user: "joe@example.com" });
    failure = {};
    queue = start();
    await until(() => segments().length === 0);
    const [erased, kept] = [await listEvents(), await listEvents(other)];
    expect(JSON.stringify(erased)).not.toMatch(/joe|192\.0\.2\.1|Agent/);
    expect([erased.length, JSON.stringify(kept)]).toEqual([1, expect.stringMatching(/joe.*192\.0\.2\.1.*Agent/)]);
  });
});
