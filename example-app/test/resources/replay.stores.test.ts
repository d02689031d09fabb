import fc from "fast-check";
import type { Store } from "../../src/store/store.js";
import { eraseFromLog } from "../../src/store/log/erasure.js";
import { createClient, insertApiToken, startApi, type ApiClient } from "../support/api.js";
import { rule, samlIdp, user, zone } from "../support/documents.js";
import { emptyLog } from "../support/logs.js";
import { call, webfingerPath, type Answer, type TestServer } from "../support/server.js";
import { appendSignOns, type SignOn } from "../support/sign-ons.js";
import { describeStores, type TestDatabase } from "../support/stores.js";
import { until } from "../../../test/support/until.js";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36";

const SINCE = "2000-01-01T00:00:00Z";

const suffix = (...values: string[]) => ({
  userIdentifier: { type: "IDENTIFIER", patterns: values.map((value) => ({ matchType: "SUFFIX", value })) },
});
const attribute = (value: string) => ({
  userIdentifier: { type: "ATTRIBUTE", attribute: "department", patterns: [{ matchType: "EQUALS", value }] },
});

const DOCUMENT = (subdomain: string) => ({
  subdomain,
  name: subdomain,
  idps: [samlIdp("Alpha"), samlIdp("Beta"), samlIdp("Gamma"), { ...samlIdp("Closed"), status: "INACTIVE" }],
  zones: [zone("Office")],
  rules: [
    {
      ...rule("phones", "Beta"),
      conditions: { ...suffix("a.example"), platform: { include: [{ type: "MOBILE" }] } },
    },
    {
      ...rule("office", "Gamma"),
      conditions: { ...suffix("a.example"), network: { connection: "ZONE", include: ["Office"] } },
    },
    rule("a", "Alpha"),
    rule("closed", "Closed"),
    { ...rule("off", "Gamma"), status: "INACTIVE" },
    rule("b", "Beta", "Alpha"),
  ],
});

interface Outcome {
  rule: { id?: string; name: string };
  providers: { type: string; id?: string; name?: string }[];
}
interface Result {
  login: string;
  changed: boolean;
  before: Outcome;
  after: Outcome;
}
interface Move {
  from: Outcome["providers"][number];
  to: Outcome["providers"][number];
  count: number;
  examples: {
    login: string;
    client: { ipAddress: string | null; platform: object };
    before: Outcome;
    after: Outcome;
  }[];
}

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let store: Store;
  let api: ApiClient["api"];
  let policy: string;
  let ids: Record<string, string>;
  let orgId: string;

  beforeEach(async () => {
    data = await database();
    ({ server, api } = await startApi(data, {}, { orgs: [DOCUMENT("demo"), DOCUMENT("other")] }));
    store = await data.open();
    orgId = (await store.findOrgBySubdomain("demo"))!.id;
    policy = `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}`;
    const records = [
      ...(await api(`${policy}/rules`)).body,
      ...(await api("/idps")).body,
      ...(await api("/zones")).body,
    ];
    ids = Object.fromEntries(records.map(({ name, id }: { name: string; id: string }) => [name, id]));
  });
  afterEach(() => server.close());

  const preview = (body: object, client = api): Promise<Answer> =>
    client(`${policy}/preview`, { method: "POST", body });
  const clientOf = async (...scopes: string[]) =>
    createClient(server, "demo", await insertApiToken(data.options, "demo", scopes)).api;
  const to = (...names: string[]) => ({
    idp: { providers: names.map((name) => (name === "SVC" ? { type: "SVC" } : { type: "SAML2", id: ids[name] })) },
  });
  const newRule = (conditions: object, ...names: string[]) => ({
    name: "new",
    priority: 1,
    conditions,
    actions: to(...names),
  });

  test("counts the moves that a preview of each login shows, with the client that asked for it last", async () => {
    const signOn = fc.record<SignOn>({
      login: fc.constantFrom("ann@a.example", "ANN@a.example", "joe@a.example", "joe@b.example", "x", "sam@b.example"),
      ip: fc.constantFrom("192.0.2.7", "203.0.113.7"),
      userAgent: fc.constantFrom(IPHONE, WINDOWS, "curl/8.5.0"),
      path: fc.constantFrom("/.well-known/webfinger", "/sso/login"),
    });
    const draft = fc.oneof(
      fc.constantFrom("phones", "office", "a", "b").map((name) => ({ ruleId: ids[name] })),
      fc
        .record({
          priority: fc.integer({ min: 1, max: 8 }),
          conditions: fc.record(
            {
              userIdentifier: fc
                .subarray(["a.example", "b.example", "joe@b.example", "x"], { minLength: 1 })
                .map((values) => suffix(...values).userIdentifier),
              network: fc.constant({ connection: "ZONE", include: [ids["Office"]] }),
              platform: fc.constant({ include: [{ type: "MOBILE" }] }),
            },
            { requiredKeys: [] },
          ),
          actions: fc.subarray(["Alpha", "Beta", "Gamma", "SVC"], { minLength: 1 }).map((names) => to(...names)),
        })
        .chain((values) =>
          fc.constantFrom(undefined, "phones", "a", "off", "Default Rule").map((name) => {
            if (name === undefined) return { rule: { name: "new", ...values } };
            const ruleId = ids[name];
            if (name === "Default Rule") return { ruleId, rule: { name, actions: values.actions } };
            return { ruleId, rule: { name, ...values } };
          }),
        ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(signOn, { minLength: 1, maxLength: 30 }), draft, async (signOns, change) => {
        await emptyLog(store);
        await appendSignOns(store, orgId, signOns);
        const newest = new Map<string, SignOn>();
        for (const each of signOns.toReversed()) {
          const key = each.login.toLowerCase();
          if (!newest.has(key)) newest.set(key, each);
        }
        const logins = [...newest.values()].map(({ login, ip, userAgent }) => ({ login, clientIp: ip, userAgent }));
        const answer = await preview({ ...change, since: SINCE, logins });
        expect([answer.status, answer.body.errorCauses]).toEqual([200, undefined]);
        const { results, replay } = answer.body as { results: Result[]; replay: { moves: Move[] } };
        expect(replay).toMatchObject({
          events: signOns.length,
          unreadable: 0,
          logins: newest.size,
          sampled: false,
          complete: true,
          changed: results.filter(({ changed }) => changed).length,
          others: 0,
        });
        expect(replay.moves).toEqual(countMoves(results, logins));
      }),
      { numRuns: 25 },
    );
  });

  /** The moves of results, in their order. */
  function countMoves(results: Result[], logins: { clientIp?: string | undefined }[]): Move[] {
    const moves = new Map<string, Move>();
    for (const [i, { login, changed, before, after }] of results.entries()) {
      if (!changed) continue;
      const [from, next] = [before.providers[0]!, after.providers[0]!];
      const key = JSON.stringify([from, next]);
      const move = moves.get(key) ?? { from, to: next, count: 0, examples: [] };
      moves.set(key, move);
      move.count++;
      const client = { ipAddress: logins[i]?.clientIp ?? null, platform: expect.any(Object) as object };
      move.examples.push({ login, client, before, after });
    }
    return [...moves.values()].sort((a, b) => b.count - a.count);
  }

  test("replays what WebFinger and the page of sign-on were really asked for", async () => {
    const headers = { "User-Agent": IPHONE };
    await call(server, webfingerPath("joe@a.example"), { headers });
    await call(server, "/sso/login?login=ann%40a.example&hd=a.example");
    await call(server, `/sso/idps/${ids["Alpha"]}?login_hint=sam@a.example`);
    await call(server, webfingerPath(""));
    const wanted = { ruleId: ids["phones"], since: SINCE };
    await until(async () => (await preview(wanted)).body.replay.events === 4);
    const { replay } = (await preview(wanted)).body;
    expect(replay).toMatchObject({ events: 4, logins: 2, changed: 1 });
    expect(replay.moves).toEqual([
      {
        from: { type: "SAML2", id: ids["Beta"], name: "Beta" },
        to: { type: "SAML2", id: ids["Alpha"], name: "Alpha" },
        count: 1,
        examples: [
          {
            login: "joe@a.example",
            client: { ipAddress: "127.0.0.1", platform: { type: "MOBILE", os: "IOS" } },
            before: {
              rule: { id: ids["phones"], name: "phones" },
              providers: [expect.objectContaining({ name: "Beta" })],
            },
            after: { rule: { id: ids["a"], name: "a" }, providers: [expect.objectContaining({ name: "Alpha" })] },
          },
        ],
      },
    ]);
  });

  test("shows ten examples of a move, of the logins that were asked for last", async () => {
    const logins = Array.from({ length: 11 }, (_, i) => `joe${i}@b.example`);
    await appendSignOns(
      store,
      orgId,
      logins.map((login) => ({ login })),
    );
    const [move] = (await preview({ ruleId: ids["b"], since: SINCE })).body.replay.moves as Move[];
    expect(move).toMatchObject({ count: 11, to: { type: "SVC" } });
    expect(move?.examples.map(({ login }) => login)).toEqual(logins.toReversed().slice(0, 10));
  });

  test("replays no login that was refused, cut or erased", async () => {
    const long = `?${"x".repeat(2_000)}=&resource=svc:acct:cut@b.exampl…`;
    await appendSignOns(store, orgId, [
      { login: "refused@b.example", status: "400" },
      { login: "cut@b.example", query: long },
      { login: "failed@b.example", status: "503" },
      { login: "gone@b.example" },
      { login: "gone@b.example", path: "/sso/login" },
      { login: "elsewhere@b.example", path: "/sso/idps/0oa" },
    ]);
    await eraseFromLog(store, orgId, { id: undefined, texts: new Set(["gone@b.example"]) });
    const { replay } = (await preview({ ruleId: ids["b"], since: SINCE })).body;
    expect(replay).toMatchObject({ events: 6, unreadable: 3, logins: 1, changed: 1 });
    expect(replay.moves[0].examples[0].login).toBe("failed@b.example");
  });

  test("says since when the log was read, and replays nothing earlier or of another org", async () => {
    const other = (await store.findOrgBySubdomain("other"))!.id;
    const at = async (time: string, org: string, login: string) =>
      appendSignOns(await data.open({ clock: () => new Date(time) }), org, [{ login }]);
    // the events of the requests so far: after one, no event is published earlier
    const requests = () => store.write(({ db }) => db.selectFrom("log_events").select("event").execute());
    await until(async () => (await requests()).filter(({ event }) => event.includes("/api/v1/")).length === 4);
    await emptyLog(store);
    await at("2026-01-01T00:00:00.000Z", orgId, "early@b.example");
    await at("2026-01-02T00:00:00.000Z", orgId, "joe@b.example");
    await at("2026-01-02T00:00:00.000Z", other, "stranger@b.example");
    const replayed = async (since: string) => (await preview({ ruleId: ids["b"], since })).body.replay;
    expect(await replayed(SINCE)).toMatchObject({ since: "2026-01-01T00:00:00.000Z", logins: 2, complete: true });
    expect(await replayed("2026-01-01T00:00:00.001Z")).toMatchObject({ since: "2026-01-02T00:00:00.000Z", logins: 1 });
    expect(await replayed("2026-01-02T01:00:00+01:00")).toMatchObject({ since: "2026-01-02T00:00:00.000Z", logins: 1 });
    const none = await replayed("2026-01-02T00:00:00.001Z");
    expect(none).toMatchObject({ since: "2026-01-02T00:00:00.001Z", events: 0, logins: 0, moves: [], complete: true });
    expect(Date.parse(none.until)).toBeLessThanOrEqual(Date.now());
  });

  test("needs the scope of the log, and for a condition on an attribute that of users", async () => {
    await appendSignOns(store, orgId, [{ login: "sam@b.example" }, { login: "joe@b.example" }]);
    const body = { ruleId: ids["b"], since: SINCE };
    const refusal = (scope: string, what: string) => ({
      status: 403,
      body: {
        errorCode: "E0000006",
        errorCauses: [{ errorSummary: `${what} needs the scope svc.${scope}, which the credentials lack.` }],
      },
    });
    const manager = await clientOf("policies.manage");
    expect(await preview(body, manager)).toMatchObject(refusal("logs.read", "since: a replay of the log"));
    const reader = await clientOf("policies.manage", "logs.read");
    expect(await preview(body, reader)).toMatchObject({ status: 200 });
    const made = await api(`${policy}/rules`, { method: "POST", body: newRule(attribute("sales"), "Gamma") });
    expect(made.status).toBe(200);
    expect(await preview(body, reader)).toMatchObject(
      refusal("users.read", "A rule has a condition on an attribute; this replay"),
    );
    expect(await preview(body, await clientOf("policies.manage", "logs.read", "users.read"))).toMatchObject({
      status: 200,
    });
  });

  test("reads the profiles of users, several at a time", async () => {
    const logins = Array.from({ length: 40 }, (_, i) => `User${i}@b.example`);
    for (const [i, login] of logins.entries()) {
      const { profile } = user(login);
      const body = { profile: { ...profile, department: i % 2 === 0 ? "sales" : "legal" } };
      expect((await api("/users", { method: "POST", body })).status).toBe(200);
    }
    await appendSignOns(
      store,
      orgId,
      logins.map((login) => ({ login: login.toUpperCase() })),
    );
    const rule = newRule(attribute("sales"), "Gamma");
    const { replay } = (await preview({ rule, since: SINCE })).body;
    expect(replay).toMatchObject({ logins: 40, changed: 20, complete: true });
    expect(replay.moves).toMatchObject([{ from: { name: "Beta" }, to: { name: "Gamma" }, count: 20 }]);
    expect(replay.moves[0].examples[0]).toMatchObject({ login: "USER38@B.EXAMPLE", after: { rule: { name: "new" } } });
    expect(replay.moves[0].examples[0].after.rule.id).toBeUndefined();
  });

  test("takes a date, and logins only beside it", async () => {
    const change = { ruleId: ids["b"] };
    for (const [body, cause] of [
      [{}, "logins: is required, unless samples or since is given"],
      [{ since: "yesterday" }, "since: must be a date such as 2026-01-31T08:00:00.000Z"],
      [{ since: 7 }, "since: must be a string"],
      [{ since: SINCE, logins: [] }, "logins: must not be empty"],
    ] as const) {
      const answer = await preview({ ...change, ...body });
      expect([body, answer.status, answer.body.errorCode]).toEqual([body, 400, "E0000001"]);
      expect(answer.body.errorCauses).toEqual([{ errorSummary: expect.stringContaining(cause) }]);
    }
    const answer = await preview({ ...change, since: SINCE });
    expect(answer.body.results).toEqual([]);
    expect((await preview({ ...change, logins: [{ login: "x" }] })).body.replay).toBeUndefined();
  });

  test("leaves out providers that are not active, and changes nothing", async () => {
    await appendSignOns(store, orgId, [{ login: "joe@closed.example" }, { login: "joe@b.example" }]);
    const revision = await store.currentRevision(orgId);
    const rule = newRule(suffix("closed.example", "b.example"), "Closed", "Beta");
    const { replay } = (await preview({ rule, since: SINCE })).body;
    // the other login loses the provider that comes second
    expect(replay).toMatchObject({ logins: 2, changed: 2 });
    expect(replay.moves).toMatchObject([
      { from: { name: "Beta" }, to: { name: "Beta" }, count: 1 },
      { from: { type: "SVC" }, to: { name: "Beta" }, count: 1 },
    ]);
    expect(await store.currentRevision(orgId)).toBe(revision);
  });
});
