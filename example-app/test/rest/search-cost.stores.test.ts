import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { LogEvent } from "../../src/model/records.js";
import type { Settings } from "../../src/program/settings/settings.js";
import { MAX_NARROW_TERMS, MAX_TESTED_TERMS } from "../../src/rest/search-cost.js";
import { MAX_WAITING } from "../../src/store/contract/engine.js";
import { appendLogEvents } from "../../src/store/log/events.js";
import { PATIENCE_MS } from "../../src/store/engine/postgres-pool.js";
import { createClient, insertApiToken, type ApiClient } from "../support/api.js";
import { buildEvent, emptyLog, formatQuery } from "../support/logs.js";
import { call, startTestServer, webfingerPath, type Answer, type TestServer } from "../support/server.js";
import { administrate, describePostgres, describeStores, type TestDatabase } from "../support/stores.js";
import { insertUsers, profile, storedUser } from "../support/users.js";
import { until } from "../../../test/support/until.js";

const DOCUMENT = { orgs: ["demo", "acme"].map((subdomain) => ({ subdomain, name: subdomain })) };

function linkOf({ headers }: Answer, relation: string): string | undefined {
  return new RegExp(`<([^>]+)>; rel="${relation}"`).exec(String(headers["link"]))?.[1];
}

/** Every page from `path` on, until there is none. */
async function walk({ api }: ApiClient, path: string, relation = "next"): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const page = await api(next);
    expect([page.status, page.status === 200 || page.text]).toEqual([200, true]);
    pages.push(page);
    next = linkOf(page, relation);
  }
  return pages;
}

const join = (count: number, term = 'target.id co "x"') => Array<string>(count).fill(term).join(" or ");

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let demo: ApiClient;

  async function start(settings: Partial<Settings> = {}): Promise<void> {
    data = await database();
    server = await startTestServer(data, settings, DOCUMENT);
    demo = createClient(server, "demo", await insertApiToken(data.options, "demo"));
  }
  afterEach(() => server.close());

  /** Events whose titles are their numbers. */
  async function publish(count: number): Promise<void> {
    const store = await data.open();
    await emptyLog(store);
    const { id } = (await store.findOrgBySubdomain("demo"))!;
    const events = Array.from({ length: count }, (_, i) => buildEvent({ eventType: "test", displayMessage: `${i}` }));
    for (let i = 0; i < count; i += 500) {
      await store.write((transaction) => appendLogEvents(transaction, id, events.slice(i, i + 500)));
    }
  }

  const titlesOf = ({ body }: Answer): string[] => (body as LogEvent[]).map(({ displayMessage }) => displayMessage);

  describe("an expression with many terms that no index serves", () => {
    beforeEach(() => start());

    const ask = (parameters: Record<string, string>): Promise<Answer> => demo.api(formatQuery(parameters));

    it("S9 is refused with the term, its offset and what to add", async () => {
      const { status, body } = await ask({ filter: join(200) });
      expect([status, body.errorCode]).toEqual([400, "E0000031"]);
      const offset = join(MAX_TESTED_TERMS).length + " or ".length;
      expect(body.errorCauses).toEqual([
        {
          errorSummary:
            `filter: found term ${MAX_TESTED_TERMS + 1} that no index serves, target.id co, at offset ${offset}, ` +
            `expected at most ${MAX_TESTED_TERMS} of them. For 60, join "eq" with eventType, debugContext.debugData.requestId, ` +
            'transaction.id to them by "and", or give since and until that are an hour or less apart.',
        },
      ]);
    });

    it.each([
      'target.id co "x"',
      'actor.id ew "x"',
      'severity eq "x"',
      'eventType ne "x"',
      "eventType pr",
      'not (eventType eq "x")',
    ])("S9 has at most thirty of them: n - 1, n, n + 1 of %s", async (term) => {
      expect(MAX_TESTED_TERMS).toBe(30);
      for (const [count, status] of [
        [29, 200],
        [30, 200],
        [31, 400],
      ] as const) {
        expect([count, (await ask({ filter: join(count, term) })).status]).toEqual([count, status]);
      }
    });

    it("S9 counts `pr` on an object as its attributes, and no terms that an index serves", async () => {
      expect((await ask({ filter: "client pr and client pr and client pr and client pr" })).status).toBe(400);
      expect((await ask({ filter: join(60, 'eventType sw "x"') })).status).toBe(200);
    });

    it("S9 has at most sixty beside an indexed value or for an hour, on every page: n - 1, n, n + 1", async () => {
      expect(MAX_NARROW_TERMS).toBe(60);
      for (const name of ["eventType", "transaction.id", "debugContext.debugData.requestId"]) {
        for (const [count, status] of [
          [59, 200],
          [60, 200],
          [61, 400],
        ] as const) {
          const answer = await ask({ filter: `${name} eq "x" and (${join(count)})` });
          expect([name, count, answer.status]).toEqual([name, count, status]);
        }
        expect((await ask({ filter: `${name} eq "x" or ${join(31)}` })).status).toBe(400);
      }
      await publish(3);
      const [until, hourAgo] = [60_000, 60_000 - 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
      const filter = join(60, 'eventType co "test"');
      const more = join(61, 'eventType co "test"');
      expect((await ask({ filter: more, until: until!, since: hourAgo! })).status).toBe(400);
      const earlier = new Date(Date.parse(hourAgo!) - 1).toISOString();
      expect((await ask({ filter, until: until!, since: earlier })).status).toBe(400);
      for (const sortOrder of ["ASCENDING", "DESCENDING"]) {
        const parameters = { filter, until: until!, since: hourAgo!, sortOrder, limit: "2" };
        expect((await walk(demo, formatQuery(parameters))).flatMap(titlesOf)).toHaveLength(3);
      }
    });

    it("S9 is refused in search of users", async () => {
      const term = 'profile.nick co "abc"';
      const path = (text: string) => `/users?search=${encodeURIComponent(text)}`;
      expect((await demo.api(path(join(30, term)))).status).toBe(200);
      const refused = await demo.api(path(join(31, term)));
      expect(refused).toMatchObject({ status: 400, body: { errorCode: "E0000031" } });
      expect(refused.body.errorCauses[0].errorSummary).toMatch(
        /^search: found term 31 .* at offset \d+, .*profile\.login/,
      );
      expect((await demo.api(path(`profile.login eq "x" and (${join(31, term)})`))).status).toBe(200);
    });
  });

  describe("a search of the log", () => {
    const COUNT = 250;
    beforeEach(() => start({ searchLimit: 100 }));

    it.each([
      [99, 1],
      [100, 2], // a full slice does not show that the list ends
      [101, 2],
      [250, 3],
    ])("S9 P3 P5 of %d events ends after a hundred with next: %d pages", async (count, pages) => {
      await publish(count);
      const until = new Date(Date.now() + 1).toISOString(); // before the events of the requests that follow
      const filter = 'displayMessage ew "3" and eventType pr';
      const expected = Array.from({ length: count }, (_, i) => `${i}`).filter((title) => title.endsWith("3"));
      const ascending = await walk(demo, formatQuery({ filter, until }));
      expect(ascending.flatMap(titlesOf)).toEqual(expected);
      expect(ascending).toHaveLength(pages);
      const descending = await walk(demo, formatQuery({ filter, until, sortOrder: "DESCENDING" }));
      expect(descending.flatMap(titlesOf)).toEqual(expected.toReversed());
      const nothing = await walk(demo, formatQuery({ filter: 'displayMessage eq "none"', until }));
      expect(nothing.flatMap(titlesOf)).toEqual([]);
      expect(nothing).toHaveLength(pages);
    });

    it("P5 finds the same on pages of any size, and with q", async () => {
      await publish(COUNT);
      const until = new Date(Date.now() + 1_000).toISOString();
      for (const limit of [1, 7, 25, 1_000]) {
        const found = await walk(demo, formatQuery({ filter: 'displayMessage co "7"', until, limit }));
        expect(found.flatMap(titlesOf)).toHaveLength(43);
        expect((await walk(demo, formatQuery({ q: "test joe", until, limit }))).flatMap(titlesOf)).toHaveLength(COUNT);
      }
    });

    it("P4 S9 goes on where it stopped when the log is polled, and never ends", async () => {
      await publish(COUNT);
      const filter = 'displayMessage eq "249"';
      const titles: string[] = [];
      let page = await demo.api(formatQuery({ filter }));
      for (let i = 0; i < 3; i++) {
        titles.push(...titlesOf(page));
        page = await demo.api(linkOf(page, "next")!);
      }
      expect(titles).toEqual(["249"]);
      expect(titlesOf(page)).toEqual([]);
      expect(linkOf(page, "next")).toBeDefined();
    });
  });

  test("P5 S9 a search of users goes on where it stopped, in both directions", async () => {
    await start({ searchLimit: 20 });
    const users = Array.from({ length: 95 }, (_, i) =>
      storedUser(`u${i}`, { profile: { nick: i % 19 === 0 ? "wanted" : "other" } }),
    );
    await insertUsers(data.options, users);
    const wanted = users.filter((_, i) => i % 19 === 0);
    const loginsOf = ({ body }: Answer) => body.map((user: { profile: { login: string } }) => user.profile.login);
    for (const [sortBy, compare] of [
      ["id", (a: (typeof users)[number], b: typeof a) => (a.id < b.id ? -1 : 1)],
      ["profile.login", (a: (typeof users)[number], b: typeof a) => (a.profile.login < b.profile.login ? -1 : 1)],
    ] as const) {
      const expected = [...wanted].sort(compare).map((user) => user.profile.login);
      const search = encodeURIComponent('profile.nick co "want"');
      const pages = await walk(demo, `/users?search=${search}&sortBy=${sortBy}&limit=2`);
      expect(pages.flatMap(loginsOf)).toEqual(expected);
      const last = pages.findLast(({ body }) => body.length > 0)!;
      const back = await walk(demo, linkOf(last, "self")!, "prev");
      expect(back.toReversed().flatMap(loginsOf)).toEqual(expected);
    }
    const named = await walk(demo, "/users?q=u&limit=30");
    expect(named.flatMap(loginsOf)).toEqual(users.map((user) => user.profile.login).sort());
  });

  test("S9 WebFinger of another org answers while a search runs", async () => {
    await start();
    await publish(20_000);
    const done: string[] = [];
    const search = demo.api(formatQuery({ filter: join(30) })).then(({ status }) => done.push(`search ${status}`));
    for (let i = 0; i < 3; i++) {
      const { status } = await call(server, webfingerPath("joe"), {
        headers: { Host: `acme.localhost:${server.port}` },
      });
      done.push(`WebFinger ${status}`);
    }
    await search;
    expect(done).toEqual(["WebFinger 200", "WebFinger 200", "WebFinger 200", "search 200"]);
  });
});

describePostgres((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let locker: Client;

  async function start(settings: Partial<Settings>): Promise<ApiClient> {
    data = await database();
    const nodes = await startTestServer(data, settings, DOCUMENT);
    server = { ...nodes, nextPort: () => nodes.port }; // the limits are those of one process
    locker = new Client({ connectionString: data.options.databaseUrl });
    await locker.connect();
    return createClient(server, "demo", await insertApiToken(data.options, "demo"));
  }
  afterEach(async () => {
    await locker.end();
    await server.close();
  });

  /** How many statements of the server read the log now. */
  async function running(): Promise<number> {
    const text = `select 1 from pg_stat_activity where datname = current_database() and state = 'active'
      and application_name = 'etiquette' and query like '%published%' and pid <> pg_backend_pid()`;
    return (await administrate(text, data.options.databaseUrl)).length;
  }

  test("S9 a search whose client leaves is cancelled", async () => {
    const { api } = await start({});
    await locker.query("begin; lock table log_events in access exclusive mode");
    const agent = new (await import("node:https")).Agent();
    const lost = api(formatQuery({ filter: 'target.id co "x"', until: new Date().toISOString() }), { agent }).catch(
      (error: unknown) => error,
    );
    await until(async () => (await running()) > 0);
    for (const sockets of Object.values(agent.sockets)) for (const socket of sockets ?? []) socket.destroy();
    expect(await lost).toMatchObject({ code: "ECONNRESET" });
    const deadline = performance.now() + 8_000; // the statement would end by itself after ten seconds
    while ((await running()) > 0 && performance.now() < deadline) await sleep(10);
    expect(await running()).toBe(0);
    await locker.query("rollback");
    expect((await api(formatQuery({ filter: 'target.id co "x"' }))).status).toBe(200);
  });

  test("S9 a statement that takes too long is 503 with Retry-After", async () => {
    const { api } = await start({ statementTimeout: 1 });
    await locker.query("begin; lock table log_events, users in access exclusive mode");
    for (const path of [formatQuery({ filter: 'target.id co "x"', until: new Date().toISOString() }), "/users"]) {
      const answer = await api(path);
      expect(answer).toMatchObject({ status: 503, body: { errorCode: "E0009011" } });
      expect(answer.headers["retry-after"]).toMatch(/^\d+$/);
    }
    await locker.query("rollback");
    expect((await api("/users")).status).toBe(200);
  });

  test("S9 an org waits for its share of the connections, other orgs, tokens and WebFinger don't: n, n + 1", async () => {
    const { api } = await start({ apiConnections: 2, statementTimeout: 60 });
    const acme = createClient(server, "acme", await insertApiToken(data.options, "acme"));
    const host = { Host: `acme.localhost:${server.port}` };
    await locker.query(
      "begin; select 1 from log_heads join orgs on orgs.id = log_heads.org_id where subdomain = 'demo' for update",
    );
    const create = (login: string) => api("/users", { method: "POST", body: { profile: profile(login) } });
    const begin = performance.now();
    const waiting = Array.from({ length: 1 + MAX_WAITING + 1 }, (_, i) => create(`user${i}@example.com`));
    const refused = await Promise.race(waiting);
    expect(refused.status).toBe(503);
    expect(refused.body.errorCode).toBe("E0009011");
    expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
    expect((await acme.api("/zones")).status).toBe(200);
    expect((await call(server, webfingerPath("joe"), { headers: host })).status).toBe(200);
    await locker.query("rollback");
    const isInTime = performance.now() - begin < PATIENCE_MS / 2; // on a busy machine they may have given up
    const statuses = (await Promise.all(waiting)).map(({ status }) => status).sort();
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 503]);
    if (isInTime) expect(statuses.filter((status) => status === 503)).toHaveLength(1);
  });
});
