import type { LogEvent } from "../../../src/model/records.js";
import { eraseUser } from "../../../src/program/operations/erase.js";
import { appendLogEvents } from "../../../src/store/log/events.js";
import type { Store } from "../../../src/store/store.js";
import { createClient, insertApiToken, type ApiClient } from "../../support/api.js";
import { rule, user } from "../../support/documents.js";
import { buildEvent, findEvents, formatQuery } from "../../support/logs.js";
import {
  call,
  runProgram,
  startTestServer,
  webfingerPath,
  type Answer,
  type TestServer,
} from "../../support/server.js";
import { describeStores, type TestDatabase } from "../../support/stores.js";
import { listWords } from "../../support/users.js";

const AGENT = "personal-agent";

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let demo: ApiClient;
  let store: Store;

  beforeEach(async () => {
    data = await database();
    const own = {
      ...rule("own"),
      conditions: {
        userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "EQUALS", value: "JOE@example.com" }] },
      },
    };
    const orgs = ["demo", "acme"].map((subdomain) => ({
      subdomain,
      name: subdomain,
      users: [user("Joe@Example.com"), user("mary.joe@example.com")],
      rules: [own],
      routingTests: [{ name: "own login", login: "JOE@example.com", expected: { rule: "own" } }],
    }));
    server = await startTestServer(data, {}, { orgs });
    store = await data.open();
    demo = createClient(server, "demo", await insertApiToken(data.options, "demo"));
  });
  afterEach(() => server.close());

  const rowsOf = (subdomain: string) =>
    store.reader
      .selectFrom("log_events")
      .innerJoin("orgs", "orgs.id", "log_events.org_id")
      .select(["sequence", "published", "uuid", "request_id", "event_type", "event", "search_text"])
      .where("subdomain", "=", subdomain)
      .orderBy("sequence")
      .execute();

  /** Everything that tells of the user, and some that does not. */
  async function makeHistory(): Promise<string> {
    const { id } = (await demo.api("/users/joe@example.com")).body;
    await demo.api(`/users/${id}`, { method: "POST", body: { profile: { login: "joseph@example.com" } } });
    await demo.api("/users/joseph%40example.com");
    await demo.api(`/users?search=${encodeURIComponent('profile.login eq "JOSEPH@example.com"')}`);
    await demo.api("/users?q=Joe+Doe");
    await demo.api("/users/mary.joe@example.com");
    const personal = { "User-Agent": AGENT, "Accept-Language": "de", "X-Device-Fingerprint": "print" };
    await call(server, webfingerPath("joe%40example.com"), { headers: personal });
    await call(server, webfingerPath("mary.joe@example.com"), { headers: { "User-Agent": "other-agent" } });
    await call(server, `/sso/login?login=joe@example.com`, { headers: personal });
    await call(server, webfingerPath("joe@example.com"), { headers: { Host: "acme.localhost" } });
    const last: Answer = await demo.api("/users/joe@example.com/lifecycle/nothing");
    await findEvents(demo, String(last.headers["x-svc-request-id"]));
    return id;
  }

  it("forgets the responses that the org keeps for requests that come again", async () => {
    for (const client of [demo, createClient(server, "acme", await insertApiToken(data.options, "acme"))]) {
      const headers = { "Idempotency-Key": '"1"' };
      const path = "/users/joe@example.com/lifecycle/suspend";
      expect((await client.api(path, { method: "POST", headers })).status).toBe(200);
    }
    await eraseUser(store, { org: "demo", user: "joe@example.com" });
    const kept = await store.reader.selectFrom("idempotency_keys").select("org_id").execute();
    expect(kept).toEqual([{ org_id: (await store.findOrgBySubdomain("acme"))!.id }]);
  });

  it("deletes a user and erases everything that the log of the org tells of them, and nothing else", async () => {
    const id = await makeHistory();
    const before = await rowsOf("demo");
    const elsewhere = await rowsOf("acme");
    expect(await eraseUser(store, { org: "demo", user: "joseph@example.com" })).toMatch(
      /^user: deleted\nlog: \d+ events erased\nrules that still name the user: own\nrouting tests that still name the user: own login$/,
    );

    const after = await rowsOf("demo");
    const places = (rows: typeof before) =>
      rows.map(({ event: _event, search_text: _text, ...place }) => JSON.stringify(place));
    expect(places(after).slice(0, before.length)).toEqual(places(before));
    const kept = JSON.stringify(after);
    expect(kept).not.toMatch(/(?<!mary\.)joe(?:@|%40)|joseph|joe\+doe|personal-agent/i);
    expect(kept).toContain("mary.joe@example.com");
    expect(kept).toContain("other-agent");
    expect(await rowsOf("acme")).toEqual(elsewhere);

    const { body: events } = await demo.api(formatQuery({ filter: `target.id eq "${id}"` }));
    expect(events.map(({ eventType, actor, target }: LogEvent) => [eventType, actor.id, target![0]])).toEqual(
      ["user.lifecycle.create", "user.account.update_profile", "user.lifecycle.erase"].map((type) => [
        type,
        expect.any(String),
        { id, type: "User", alternateId: "[erased]", displayName: "[erased]", detailEntry: null },
      ]),
    );
    expect(events.at(-1)).toMatchObject({ actor: { id: "cli", displayName: "erase" } });
    const { body: found } = await demo.api(formatQuery({ filter: 'eventType eq "system.webfinger.query"' }));
    expect(found[0]).toMatchObject({
      client: { userAgent: { rawUserAgent: "" }, ipAddress: null },
      request: { ipChain: [] },
      debugContext: { debugData: { url: "/.well-known/webfinger?resource=[erased]" } },
    });
    expect(found[0].client).not.toHaveProperty("deviceFingerprint");
    expect((await demo.api(`/users/${id}`)).status).toBe(404);
    expect((await demo.api(formatQuery({ q: "joseph" }))).body).toEqual([]);

    await expect(eraseUser(store, { org: "demo", user: "nobody" })).rejects.toThrow(
      'The org demo has no user "nobody", and no event tells of one',
    );
  });

  it("erases searches for the user by the names in any order, by the display name, and without accents", async () => {
    const profile = { firstName: "José María", lastName: "Müller", displayName: "Pepe Müller" };
    await demo.api("/users/joe@example.com", { method: "POST", body: { profile } });
    for (const q of ["müller josé maría", "Jose+Maria+Muller", "muller%20jose%20maria", "pepe muller", "mary müller"]) {
      await demo.api(`/users?q=${q.includes("%") ? q : encodeURI(q)}`);
    }
    const last = await demo.api("/users?q=nobody");
    await findEvents(demo, String(last.headers["x-svc-request-id"]));
    await eraseUser(store, { org: "demo", user: "joe@example.com" });
    const urls = (await rowsOf("demo")).flatMap(({ event }) => event.match(/\?q=[^"]*/g) ?? []);
    expect(urls.map(decodeURI)).toEqual([...Array<string>(4).fill("?q=[erased]"), "?q=mary müller", "?q=nobody"]);
  });

  it("removes the words of a user whom a node of the version before has deleted", async () => {
    const { id } = (await demo.api("/users/joe@example.com")).body;
    const { id: orgId } = (await store.findOrgBySubdomain("demo"))!;
    await store.write(({ db }) => db.deleteFrom("users").where("org_id", "=", orgId).where("id", "=", id).execute());
    const before = await listWords(data.options);
    await eraseUser(store, { org: "demo", user: id });
    const after = await listWords(data.options);
    expect(before.length - after.length).toBeGreaterThan(2);
    expect(after).toContain("mary");
  });

  it("erases the history of rules, its authors and their addresses, and nothing of others", async () => {
    const [policy] = (await demo.api("/policies?type=IDP_DISCOVERY")).body;
    const rules = `/policies/${policy.id}/rules`;
    const [own] = (await demo.api(rules)).body;
    const { conditions, actions } = own;
    for (const name of ["of joe@example.com", "own"]) {
      const body = { name, conditions, actions };
      expect((await demo.api(`${rules}/${own.id}`, { method: "PUT", body })).status).toBe(200);
    }
    const { id: orgId } = (await store.findOrgBySubdomain("demo"))!;
    const [id, displayName] = ["Joe@example.com", "Joe Doe"];
    const actor = JSON.stringify({ id, type: "AccessToken", alternateId: id, displayName, detailEntry: null });
    await store.write(({ db }) =>
      db.updateTable("revisions").set({ actor, client_ip: "192.0.2.9" }).where("change_count", "=", 1).execute(),
    );
    const historyOf = async () => {
      const revisions = await store.reader.selectFrom("revisions").selectAll().where("org_id", "=", orgId).execute();
      const changes = store.reader.selectFrom("revision_changes").selectAll().where("org_id", "=", orgId);
      return [...revisions, ...(await changes.execute())];
    };
    const before = await historyOf();
    expect(JSON.stringify(before)).toContain("192.0.2.9");
    const output = await eraseUser(store, { org: "demo", user: "joe@example.com" });
    expect(output).toMatch(/\nhistory: 4 revisions and changes erased\n/);
    const after = await historyOf();
    expect(JSON.stringify(after)).not.toMatch(/joe|192\.0\.2\.9/i);
    expect(JSON.stringify(after)).toContain("of [erased]");
    expect(after).toHaveLength(before.length);
    expect(await eraseUser(store, { org: "demo", user: "joe@example.com" }).catch(String)).toContain("no event tells");
  });

  it("erases the names of rules that decided, and the events keep what was decided", async () => {
    const [{ id: policyId }] = (await demo.api("/policies?type=IDP_DISCOVERY")).body;
    const rules = `/policies/${policyId}/rules`;
    const own = (await demo.api(rules)).body.find(({ name }: { name: string }) => name === "own");
    const body = { ...own, name: "For joe@example.com only" };
    expect((await demo.api(`${rules}/${own.id}`, { method: "PUT", body })).status).toBe(200);
    const ask = async (login: string) => String((await call(server, webfingerPath(login))).headers["x-svc-request-id"]);
    const ids = [await ask("joe@example.com"), await ask("mary.joe@example.com")];
    for (const id of ids) await findEvents(demo, id);
    expect(await eraseUser(store, { org: "demo", user: "joe@example.com" })).toMatch(/^user: deleted/);

    const [[event], [other]] = [await findEvents(demo, ids[0]!), await findEvents(demo, ids[1]!)];
    expect(event!.target).toMatchObject([
      { id: policyId },
      { id: own.id, alternateId: "For [erased] only", displayName: "For [erased] only" },
      { id: "SVC" },
    ]);
    expect(event!.debugContext.debugData).toMatchObject({ ruleId: own.id, reason: "matched" });
    expect(event).not.toHaveProperty("_links");
    expect(other!.target?.[1]).toMatchObject({ displayName: "Default Rule" });
    expect(other).toHaveProperty("_links");
    const decisions = await store.reader.selectFrom("routing_decisions").select("document").execute();
    expect(JSON.stringify(decisions)).not.toMatch(/(?<!mary\.)joe@/);
  });

  it.each(["the login", "the id"])("finds the events of a user who was deleted before, by %s", async (by) => {
    const id = await makeHistory();
    for (let i = 0; i < 2; i++) expect((await demo.api(`/users/${id}`, { method: "DELETE" })).status).toBe(204);
    const given = by === "the id" ? id : "JOSEPH@example.com";
    expect(await eraseUser(store, { org: "demo", user: given })).toMatch(/^user: was deleted before\nlog: \d+ events/);
    expect(JSON.stringify(await rowsOf("demo"))).not.toMatch(/joseph|(?<!mary\.)joe(?:@|%40)example/i);
  });

  it("is a command", async () => {
    const { databaseUrl, dataFolder } = data.options;
    const env = { ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
    const run = async (...args: string[]) => {
      const { exit, output } = runProgram(["erase", ...args, "--data", dataFolder], env);
      return [await exit, output.stdout, output.stderr];
    };
    expect(await run("joe@example.com", "--org", "demo")).toEqual([
      0,
      expect.stringMatching(/^user: deleted\nlog: /),
      "",
    ]);
    expect(await run("joe@example.com", "--org", "nobody")).toEqual([
      1,
      "",
      'etiquette: There is no org with the subdomain "nobody"\n',
    ]);
  });

  it("erases from more events than one transaction takes", async () => {
    const { id } = (await store.findOrgBySubdomain("demo"))!;
    const events = Array.from({ length: 1_201 }, (_, i) => buildEvent({}, `id ${i}`));
    await store.write((transaction) => appendLogEvents(transaction, id, events));
    expect(await eraseUser(store, { org: "demo", user: "joe@example.com" })).toMatch(/log: 1203 events/);
    expect(JSON.stringify(await rowsOf("demo"))).not.toMatch(/(?<!mary\.)joe@/i);
  });
});
