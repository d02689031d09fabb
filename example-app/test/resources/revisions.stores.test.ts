import { applyPatch, type Operation } from "fast-json-patch";
import { sql } from "kysely";
import { DEFAULT_QUOTAS } from "../../src/model/quotas.js";
import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { formatQuery } from "../support/logs.js";
import { startTestServer, type Answer } from "../support/server.js";

const idp = (name: string) => ({
  name,
  type: "SAML2",
  protocol: { type: "SAML2", endpoints: { sso: { url: "https://idp.example/sso", binding: "HTTP-POST" } } },
});

const suffix = (value: string) => ({
  userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value }] },
});

const rule = (name: string, provider?: string, conditions: object = suffix(`${name}.example`)) => ({
  name,
  conditions,
  actions: { idp: { providers: [provider === undefined ? { type: "SVC" } : { type: "SAML2", id: provider }] } },
});

const zone = (name: string, value = "192.0.2.0/24") => ({ name, gateways: [{ type: "CIDR", value }] });

interface Change {
  type: string;
  id: string;
  name: string;
  event: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  patch: Operation[];
}

const eventsOf = ({ body }: Answer): string[] =>
  (body.changes as Change[]).map(({ event, type, name }) => `${event} ${type} ${name}`);

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let policy: string;

  beforeEach(async () => {
    org = await openOrg();
    ({ api } = org);
    policy = `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}`;
  });

  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await api(path, { method, ...(body && { body }) });
    expect([answer.status, answer.body?.errorCauses]).toEqual([method === "DELETE" ? 204 : 200, undefined]);
    return answer;
  };
  const make = async (path: string, body: object): Promise<string> => (await send("POST", path, body)).body.id;
  const list = (query = "") => api(`${policy}/revisions${query}`);
  const newest = async (): Promise<number> => (await list("?limit=1")).body[0].revision;
  const get = (revision: number, query = "") => api(`${policy}/revisions/${revision}${query}`);
  const restore = (revision: number, body: object = {}, query = "", headers = {}) =>
    api(`${policy}/revisions/${revision}/restore${query}`, { method: "POST", body, headers });

  /** All that a restore brings back, without dates. */
  const stateOf = async () => {
    const lists = await Promise.all(
      ["/idps", "/zones", "/trustedOrigins", `${policy}/rules`].map((path) => api(`${path}?limit=200`)),
    );
    return lists.map(({ body }) =>
      body.map(({ lastUpdated: _, metadata: _metadata, ...record }: Record<string, unknown>) => record),
    );
  };

  describe("a revision", () => {
    it("is made by each change of rules, providers, zones and trusted origins, and by nothing else", async () => {
      const id = await make("/idps", idp("Contoso"));
      const ruleId = await make(`${policy}/rules`, rule("staff", id));
      await send("PUT", `${policy}/rules/${ruleId}`, rule("people", id));
      await send("POST", `${policy}/rules/${ruleId}/lifecycle/deactivate`);
      const zoneId = await make("/zones", zone("Office"));
      await make("/trustedOrigins", { name: "Portal", origin: "https://p.example", scopes: [{ type: "CORS" }] });
      await make("/users", {
        profile: { login: "a@x.example", email: "a@x.example", firstName: "A", lastName: "B" },
      });
      await send("DELETE", `/zones/${zoneId}`);
      const { body } = await list();
      expect(body.map(({ changes: [change] }: { changes: Change[] }) => `${change!.event} ${change!.name}`)).toEqual([
        "delete Office",
        "create Portal",
        "create Office",
        "update people",
        "update people",
        "create staff",
        "create Contoso",
        "create Default Rule",
      ]);
      const [last] = body;
      expect(last).toEqual({
        revision: expect.any(Number),
        published: expect.stringMatching(/^\d{4}-.*Z$/),
        actor: { id: expect.any(String), type: "ApiToken", displayName: expect.stringContaining("test") },
        client: { ipAddress: "127.0.0.1" },
        requestId: expect.any(String),
        source: "api",
        changeCount: 1,
        changes: [{ type: "Zone", id: zoneId, name: "Office", event: "delete" }],
        _links: { self: { href: expect.stringMatching(`/api/v1${policy}/revisions/${last.revision}$`) } },
      });
      expect(body.at(-1)).toMatchObject({ source: "import", actor: { id: "cli" } });
    });

    it("has what was before, what was after, and the patch between them", async () => {
      const first = await make(`${policy}/rules`, rule("one"));
      await send("PUT", `${policy}/rules/${first}`, rule("two"));
      const updated = await newest();
      await make(`${policy}/rules`, { ...rule("before"), priority: 1 });
      await send("PUT", `${policy}/rules/${first}`, { ...rule("two"), priority: 1 });
      const moved = await newest();
      await send("DELETE", `${policy}/rules/${first}`);
      const deleted = await newest();

      const answer = await get(updated);
      expect(answer.body).toMatchObject({ revision: updated, current: deleted });
      const changes = [answer, await get(moved), await get(deleted)].map(({ body }) => body.changes[0] as Change);
      expect(changes.map(({ event, before, after }) => [event, before?.["name"], after?.["name"]])).toEqual([
        ["update", "one", "two"],
        ["move", "two", "two"],
        ["delete", "two", undefined],
      ]);
      expect(changes.map(({ before, after }) => [before?.["priority"], after?.["priority"]])).toEqual([
        [1, 1],
        [2, 1],
        [1, undefined],
      ]);
      for (const { before, after, patch } of changes) {
        expect(applyPatch(before, patch, true, false).newDocument).toEqual(after);
      }
      expect((await get(updated - 1)).body.changes[0]).toMatchObject({ event: "create", before: null });
    });

    it("T6 has a tag that changes with every change of the org", async () => {
      await make("/zones", zone("Office"));
      const revision = await newest();
      const tag = String((await get(revision)).headers["etag"]);
      const again = (etag: string) => api(`${policy}/revisions/${revision}`, { headers: { "If-None-Match": etag } });
      expect((await again(tag)).status).toBe(304);
      await make("/zones", zone("Other"));
      expect((await again(tag)).status).toBe(200);
    });

    it("of an import is one for all that it changes, in pages", async () => {
      const zones = Array.from({ length: 30 }, (_, i) => zone(`Zone ${i + 10}`));
      const file = { orgs: [{ subdomain: org.subdomain, name: org.subdomain, zones, rules: [rule("a")] }] };
      const dry = await send("POST", "/org/import?dryRun=true", file);
      expect(dry.body).toMatchObject({ revision: null, counts: { zones: { created: 30 } } });
      const before = await newest();
      const { body } = await send("POST", "/org/import", file);
      expect((await list("?limit=1")).body[0]).toMatchObject({
        revision: body.revision,
        source: "import",
        changeCount: 31,
        changes: { length: 20 },
      });
      expect(body.revision).toBeGreaterThan(before);
      expect((await send("POST", "/org/import", file)).body.revision).toBeNull();

      const names: string[] = [];
      let url: string | undefined = `${policy}/revisions/${body.revision}?limit=12`;
      for (; url !== undefined;) {
        const page: Answer = await api(url);
        names.push(...(page.body.changes as Change[]).map(({ name }) => name));
        url = /<([^>]*)>; rel="next"/.exec(String(page.headers["link"]))?.[1];
      }
      expect(names).toEqual([...zones.map(({ name }) => name), "a"]);
      const { body: all } = await get(body.revision, "?limit=100");
      const { id } = all.changes[25];
      const one = await get(body.revision, `?target=${id}`);
      expect(one.body.changes).toEqual([all.changes[25]]);
      expect((await get(body.revision, "?target=1")).body.errorCode).toBe("E0000001");
    });

    it("is in the event of the change, with the patch if that is short", async () => {
      const id = await make(`${policy}/rules`, rule("short"));
      const patterns = Array.from({ length: 200 }, (_, i) => ({ matchType: "EQUALS", value: `person ${i}` }));
      const long = { userIdentifier: { type: "IDENTIFIER", patterns } };
      await send("PUT", `${policy}/rules/${id}`, rule("long", undefined, long));
      const { body } = await api(formatQuery({ filter: `target.id eq "${id}"` }));
      const [created, updated] = body.map(
        ({ debugContext }: { debugContext: { debugData: Record<string, string> } }) => debugContext.debugData,
      );
      expect(JSON.parse(created.patch)).toEqual([
        { op: "add", path: "", value: expect.objectContaining({ id, name: "short" }) },
      ]);
      expect(updated.patch).toBeUndefined();
      expect([Number(created.revision), Number(updated.revision)]).toEqual([(await newest()) - 1, await newest()]);
    });
  });

  describe("the list", () => {
    it("P1 comes in pages, also of one record and of a time", async () => {
      const ids = [];
      for (const name of ["a", "b", "c"]) ids.push(await make("/zones", zone(name)));
      await send("PUT", `/zones/${ids[0]}`, zone("renamed"));
      const all = (await list()).body as { revision: number; published: string }[];
      const numbers = all.map(({ revision }) => revision);
      const follow = async (query: string, rel = "next") => {
        const pages: number[][] = [];
        for (let url: string | undefined = `${policy}/revisions${query}`; url !== undefined;) {
          const page: Answer = await api(url);
          expect(page.status).toBe(200);
          pages.push(page.body.map(({ revision }: { revision: number }) => revision));
          url = new RegExp(`<([^>]*)>; rel="${rel}"`).exec(String(page.headers["link"]))?.[1];
        }
        return pages;
      };
      expect(await follow("?limit=2")).toEqual([numbers.slice(0, 2), numbers.slice(2, 4), numbers.slice(4)]);
      expect(await follow(`?limit=1&target=${ids[0]}`)).toEqual([[numbers[0]], [numbers[3]]]);
      expect(await follow(`?target=${ids[1]}`)).toEqual([[numbers[2]]]);
      expect(await follow(`?target=${"x".repeat(20)}`)).toEqual([[]]);
      const { published } = all[1]!;
      const since = all.filter((one) => one.published >= published).map(({ revision }) => revision);
      expect(await follow(`?since=${published}`)).toEqual([since]);
      expect(await follow(`?until=${published}`)).toEqual([numbers.filter((number) => !since.includes(number))]);
      expect(await follow(`?since=2100-01-01T00:00:00.000Z`)).toEqual([[]]);
      expect(await follow(`?until=2000-01-01T00:00:00.000Z`)).toEqual([[]]);
    });

    it.each([
      ["?target=1", "E0000001"],
      ["?since=yesterday", "E0000030"],
      ["?since=2026-01-02T00:00:00.000Z&until=2026-01-01T00:00:00.000Z", "E0000001"],
      ["?limit=201", "E0000001"],
      ["?filter=x", "E0000094"],
    ])("refuses %s", async (query, code) => {
      expect((await list(query)).body.errorCode).toBe(code);
    });
  });

  it("A2 needs the scopes of all that has revisions", async () => {
    await make("/zones", zone("Office"));
    const revision = await newest();
    const scopes = ["policies", "idps", "zones", "trustedOrigins"];
    const read = scopes.map((scope) => `${scope}.read`);
    for (const left of [undefined, ...read]) {
      const asked = await org.as(read.filter((scope) => scope !== left));
      const expected = left === undefined ? 200 : 403;
      for (const path of ["", `/${revision}`, `/${revision}/diff`]) {
        expect((await asked(`${policy}/revisions${path}`)).status).toBe(expected);
      }
      expect((await asked(`${policy}/revisions/${revision}/restore`, { method: "POST", body: {} })).status).toBe(403);
    }
  });

  it("A2 of another org is unknown", async () => {
    await make("/zones", zone("Office"));
    const { api: other } = await openOrg();
    for (const path of ["", `/${await newest()}`, `/${await newest()}/diff`]) {
      expect((await other(`${policy}/revisions${path}`)).body.errorCode).toBe("E0000007");
    }
    const answer = await other(`${policy}/revisions/1/restore`, { method: "POST", body: {} });
    expect(answer.body.errorCode).toBe("E0000007");
  });

  describe("a diff", () => {
    it("has the net effect on each record, in both directions and in pages", async () => {
      const a = await make(`${policy}/rules`, rule("a"));
      const from = await newest();
      const b = await make(`${policy}/rules`, { ...rule("b"), priority: 1 });
      await send("PUT", `${policy}/rules/${a}`, rule("renamed"));
      await send("PUT", `${policy}/rules/${a}`, rule("a"));
      const passing = await make("/zones", zone("Passing"));
      await send("DELETE", `/zones/${passing}`);
      const kept = await make("/zones", zone("Kept"));
      const to = await newest();
      const diff = (one: number, other: number, query = "") =>
        api(`${policy}/revisions/${one}/diff?from=${other}${query}`);
      const forth = await diff(to, from);
      expect(eventsOf(forth)).toEqual(
        [`${a} move PolicyRule a`, `${b} create PolicyRule b`, `zone create Zone Kept`]
          .sort((x, y) => (x < y ? -1 : 1))
          .map((text) => text.replace(/^\S+ /, "")),
      );
      for (const { before, after, patch } of forth.body.changes as Change[]) {
        expect(applyPatch(before, patch, true, false).newDocument).toEqual(after);
      }
      const changed = (forth.body.changes as Change[]).find(({ id }) => id === a);
      expect([changed?.before?.["priority"], changed?.after?.["priority"]]).toEqual([1, 2]);
      expect(eventsOf(await diff(from, to)).sort()).toEqual([
        "delete PolicyRule b",
        "delete Zone Kept",
        "move PolicyRule a",
      ]);
      expect(eventsOf(await diff(to, to))).toEqual([]);
      expect(eventsOf(await api(`${policy}/revisions/${to}/diff`))).toEqual(["create Zone Kept"]);
      expect((await diff(to, from, "&limit=2")).body.changes).toEqual(forth.body.changes.slice(0, 2));
      const next = /<([^>]*)>; rel="next"/.exec(String((await diff(to, from, "&limit=2")).headers["link"]))?.[1];
      expect((await api(next!)).body.changes).toEqual(forth.body.changes.slice(2));
      expect(kept).not.toBe(passing);
    });
  });

  describe("restore", () => {
    it("makes routing what it was, as one revision with its events", async () => {
      const provider = await make("/idps", idp("Contoso"));
      const office = await make("/zones", zone("Office"));
      const other = await make("/zones", zone("Branch", "198.51.100.0/24"));
      const a = await make(`${policy}/rules`, rule("a", provider));
      const b = await make(
        `${policy}/rules`,
        rule("b", provider, { network: { connection: "ZONE", include: [office] } }),
      );
      const c = await make(`${policy}/rules`, rule("c"));
      await make("/trustedOrigins", { name: "Portal", origin: "https://p.example", scopes: [{ type: "CORS" }] });
      const good = await newest();
      const before = await stateOf();

      await send("PUT", `${policy}/rules/${c}`, { ...rule("c"), priority: 1 });
      await send("DELETE", `${policy}/rules/${b}`);
      await send("DELETE", `${policy}/rules/${a}`);
      await send("DELETE", `/idps/${provider}`);
      await send("DELETE", `/zones/${office}`);
      await send("PUT", `/zones/${other}`, zone("Office"));
      await make(`${policy}/rules`, rule("a"));
      await make("/zones", zone("Branch"));
      const current = await newest();

      const dry = await restore(good, {}, "?dryRun=true");
      expect(dry.body).toMatchObject({ dryRun: true, restored: good, revision: null });
      expect(await newest()).toBe(current);
      const answer = await restore(good);
      expect(answer.status).toBe(200);
      expect(await stateOf()).toEqual(before);
      expect(eventsOf(answer).sort()).toEqual([
        "create IdentityProvider Contoso",
        "create PolicyRule a",
        "create PolicyRule b",
        "create Zone Office",
        "delete PolicyRule a",
        "delete Zone Branch",
        "update Zone Branch",
      ]);
      expect(dry.body.changes).toEqual(answer.body.changes);
      const [made] = (await list("?limit=1")).body;
      expect(made).toMatchObject({ revision: answer.body.revision, source: "restore", restored: good, changeCount: 7 });
      const { body: events } = await api(formatQuery({ filter: `transaction.id eq "${made.requestId}"` }));
      expect(events.map(({ eventType }: { eventType: string }) => eventType)).toEqual([
        "policy.lifecycle.restore",
        "system.idp.lifecycle.create",
        ...["zone.create", "zone.update", "zone.delete"].map(() => expect.stringMatching(/^zone\./)),
        ...["add", "add", "delete"].map(() => expect.stringMatching(/^policy\.rule\./)),
      ]);
      expect(events[0].target[0].detailEntry).toEqual({ restored: good, revision: made.revision });
      const nothing = await restore(good);
      expect(nothing.body).toMatchObject({ revision: null, changeCount: 0 });
      expect((await restore(current)).status).toBe(200);
      expect((await stateOf())[3]).not.toEqual(before[3]);
    });

    it("undoes one change of one record, and leaves later ones of others", async () => {
      const a = await make(`${policy}/rules`, rule("a"));
      await send("PUT", `${policy}/rules/${a}`, rule("wrong"));
      const wrong = await newest();
      await make(`${policy}/rules`, { ...rule("b"), priority: 1 });
      await send("POST", `${policy}/rules/${a}/lifecycle/deactivate`);
      expect(eventsOf(await restore(wrong - 1, { targets: [a] }))).toEqual(["update PolicyRule a"]);
      const { body } = await api(`${policy}/rules`);
      expect(body.map(({ name, status }: Record<string, string>) => [name, status])).toEqual([
        ["a", "ACTIVE"],
        ["b", "ACTIVE"],
        ["Default Rule", "ACTIVE"],
      ]);
    });

    it("T3 T4 refuses with another tag, and has the new one", async () => {
      await make("/zones", zone("Office"));
      const revision = await newest();
      const tag = String((await get(revision)).headers["etag"]);
      await make("/zones", zone("Other"));
      expect((await restore(revision, {}, "", { "If-Match": tag })).body.errorCode).toBe("E0000231");
      expect((await api("/zones")).body).toHaveLength(2);
      const now = String((await get(revision)).headers["etag"]);
      const answer = await restore(revision, {}, "", { "If-Match": now });
      expect(answer.status).toBe(200);
      expect(answer.headers["etag"]).toBe((await get(revision)).headers["etag"]);
      expect(answer.headers["etag"]).not.toBe(now);
      const both = await Promise.all(
        [1, 2].map(() => restore(revision + 1, {}, "", { "If-Match": String(answer.headers["etag"]) })),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    });

    it("refuses what does not fit, names it, and changes nothing", async () => {
      const provider = await make("/idps", idp("Contoso"));
      const a = await make(`${policy}/rules`, rule("a", provider));
      const office = await make("/zones", zone("Office"));
      const good = await newest();
      await send("DELETE", `${policy}/rules/${a}`);
      await send("DELETE", `/idps/${provider}`);
      await send("PUT", `/zones/${office}`, zone("Renamed"));
      const taken = await make("/zones", zone("Office"));
      const b = await make(
        `${policy}/rules`,
        rule("b", undefined, { network: { connection: "ZONE", include: [taken] } }),
      );
      const before = await stateOf();
      const refusals = [
        [{ targets: [a] }, 409, `The rule "a" (${a}) needs ${provider}`],
        [{ targets: [office] }, 409, `The zone "Office" (${office}): another one (${taken}) has its name`],
        [{ targets: [taken] }, 409, `The rule "b" (${b}) needs ${taken}`],
        [{ targets: ["x".repeat(20)] }, 400, "targets[0]: has not changed since this revision"],
        [{ targets: ["1"] }, 400, "targets[0]: must be the id"],
        [{ targets: [] }, 400, "targets: "],
        [{ targets: "all" }, 400, "targets: "],
        [{ targets: Array.from({ length: 201 }, () => a) }, 400, "targets: "],
      ] as const;
      for (const [body, status, cause] of refusals) {
        const answer = await restore(good, body);
        expect([answer.status, answer.body.errorCauses[0].errorSummary]).toEqual([
          status,
          expect.stringContaining(cause),
        ]);
      }
      expect((await restore(good, {}, "?dryRun=yes")).status).toBe(400);
      expect(await stateOf()).toEqual(before);
      expect((await restore(good, { targets: [a, provider] })).status).toBe(200);
      expect((await restore(good)).status).toBe(200);
    });

    it("S9 does not exceed a quota", async () => {
      const strict = await startTestServer(org, { quotas: { ...DEFAULT_QUOTAS, zones: 1 } });
      ({ api } = org.at(strict));
      const first = await make("/zones", zone("First"));
      const good = await newest();
      await send("DELETE", `/zones/${first}`);
      await make("/zones", zone("Second"));
      const answer = await restore(good, { targets: [first] });
      expect([answer.status, answer.body.errorCode]).toEqual([409, "E0000195"]);
      expect(answer.body.errorCauses[0].errorSummary).toContain("zones: the org has 1 zones");
      expect((await restore(good)).status).toBe(200);
      await strict.close();
    });

    it("A4 needs users.read for a rule with a condition on an attribute", async () => {
      const conditions = {
        userIdentifier: { type: "ATTRIBUTE", attribute: "department", patterns: [{ matchType: "EQUALS", value: "x" }] },
      };
      const id = await make(`${policy}/rules`, rule("sales", undefined, conditions));
      const good = await newest();
      await send("DELETE", `${policy}/rules/${id}`);
      const scopes = ["policies", "idps", "zones", "trustedOrigins"].map((scope) => `${scope}.manage`);
      const asked = await org.as(scopes);
      const answer = await asked(`${policy}/revisions/${good}/restore`, { method: "POST", body: {} });
      expect([answer.status, answer.body.errorCode]).toEqual([403, "E0000006"]);
      expect((await restore(good)).status).toBe(200);
    });
  });

  it("knows the states since the oldest revision that is kept, and says which", async () => {
    for (const name of ["a", "b", "c"]) await make("/zones", zone(name));
    const last = await newest();
    await org.store.write(async ({ db }) => {
      for (const table of ["revision_changes", "revisions"] as const) {
        await db.deleteFrom(table).where("org_id", "=", org.id).where("revision", "<", last).execute();
      }
    });
    const cause = `The history has the states from revision ${last - 1} to ${last}. What was before is forgotten.`;
    for (const answer of [
      await get(last - 1),
      await get(last + 1),
      await api(`${policy}/revisions/x`),
      await api(`${policy}/revisions/${last}/diff?from=${last - 2}`),
      await restore(last - 2),
      await restore(last + 1),
      await api(`${policy}/trace?resource=svc:acct:x&revision=${last - 2}`),
    ]) {
      expect([answer.status, answer.body.errorCauses[0]]).toEqual([404, { errorSummary: cause }]);
    }
    expect(eventsOf(await restore(last - 1))).toEqual(["delete Zone c"]);
  });

  it("shows a change of a kind that only a newer version of the server knows, and restores what was before it", async () => {
    await make("/zones", zone("Office"));
    const good = await newest();
    const written = await make("/zones", zone("Later", "198.51.100.0/24"));
    const last = await newest();
    const isLast = sql`org_id = ${org.id} and revision = ${last}`;
    await org.store.write(async ({ db }) => {
      await sql`update revision_changes set kind = 'later' where ${isLast}`.execute(db);
      await sql`update revisions set summary = replace(summary, '"zone"', '"later"') where ${isLast}`.execute(db);
    });
    const shown = `"type":"later","id":"${written}"`; // which no description of this version has
    await expect(list("?limit=1")).rejects.toThrow(shown);
    await expect(get(last)).rejects.toThrow(shown);
    expect(eventsOf(await api(`${policy}/revisions/${last}/diff?from=${good}`))).toEqual([]);
    expect(eventsOf(await restore(good - 1))).toEqual(["delete Zone Office"]);
  });

  describe("a trace of the past", () => {
    const trace = (query: string, login = "joe@a.example") =>
      api(`${policy}/trace?resource=svc:acct:${login}&clientIp=192.0.2.7${query}`);

    it("W10 explains with the rules, zones and providers that there were", async () => {
      const provider = await make("/idps", idp("Contoso"));
      const office = await make("/zones", zone("Office"));
      const conditions = { ...suffix("a.example"), network: { connection: "ZONE", include: [office] } };
      const id = await make(`${policy}/rules`, rule("a", provider, conditions));
      const good = await newest();
      const past = await trace("");
      await send("PUT", `/zones/${office}`, zone("Moved", "198.51.100.0/24"));
      await send("PUT", `/idps/${provider}`, idp("Renamed"));
      await send("DELETE", `${policy}/rules/${id}`);
      expect((await trace("")).body.match.name).toBe("Default Rule");

      const { body } = await trace(`&revision=${good}`);
      const { asOf, ofToday, ...same } = body;
      expect(same).toEqual(past.body);
      expect(body.client.zones).toEqual([{ id: office, name: "Office" }]);
      expect(asOf).toMatchObject({ revision: good, published: expect.any(String) });
      expect(ofToday).toEqual(["user attributes"]);
      const later = await newest();
      const { body: present } = await trace(`&revision=${later}`);
      expect(present.match.name).toBe("Default Rule");
      const { body: at } = await trace(`&at=${asOf.published}`);
      expect(at.match.name).toBe("a");
    });

    it("P1 has pages, whose cursors are for this revision alone", async () => {
      for (const name of ["a", "b", "c", "d"]) await make(`${policy}/rules`, rule(name));
      const good = await newest();
      await make(`${policy}/rules`, { ...rule("first"), priority: 1 });
      const first = await trace(`&revision=${good}&limit=2`, "nobody");
      const names = ({ body }: Answer) => body.rules.map(({ name }: { name: string }) => name);
      const link = (answer: Answer, rel: string) =>
        new RegExp(`<([^>]*)>; rel="${rel}"`).exec(String(answer.headers["link"]))?.[1];
      const second = await api(link(first, "next")!);
      const third = await api(link(second, "next")!);
      expect([first, second, third].map(names)).toEqual([["a", "b"], ["c", "d"], ["Default Rule"]]);
      expect(link(third, "next")).toBeUndefined();
      expect(names(await api(link(third, "prev")!))).toEqual(["c", "d"]);
      const wrong = link(first, "next")!.replace(`revision=${good}`, `revision=${good + 1}`);
      expect((await api(wrong)).body.errorCode).toBe("E0000029");
    });

    it.each([
      ["&revision=x", "E0000001"],
      ["&revision=1&at=2026-01-01T00:00:00.000Z", "E0000001"],
      ["&at=yesterday", "E0000030"],
      ["&at=2100-01-01T00:00:00.000Z", "E0000001"],
      ["&at=2000-01-01T00:00:00.000Z", "E0000001"],
      ["&revision=0", "E0000007"],
      ["&revision=1&revision=1", "E0000001"],
    ])("refuses %s", async (query, code) => {
      expect((await trace(query)).body.errorCode).toBe(code);
    });
  });
});
