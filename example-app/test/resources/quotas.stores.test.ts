import { sql } from "kysely";
import { DEFAULT_QUOTAS, type QuotaName, type Quotas } from "../../src/model/quotas.js";
import { createToken } from "../../src/program/operations/tokens.js";
import { up as countBytes } from "../../src/store/schema/migrations/0012-bytes.js";
import { up as countDynamicRules } from "../../src/store/schema/migrations/0013-dynamic-rules.js";
import { up as createOrgUsage } from "../../src/store/schema/migrations/0006-org-quotas.js";
import type { Store } from "../../src/store/store.js";
import { importText } from "../../src/transfer/import.js";
import { createClient, insertApiToken, startApi, type ApiClient } from "../support/api.js";
import { startConsole } from "../support/console.js";
import { fullOrg, samlIdp, textOf, trustedOrigin, user, zone } from "../support/documents.js";
import { startTestServer, type Answer, type TestServer } from "../support/server.js";
import { describeStores, type TestDatabase } from "../support/stores.js";

const DEMO = { subdomain: "demo", name: "Demo" };

/** A rule with these patterns. */
const rule = (name: string, ...patterns: string[]) => ({
  name,
  conditions: {
    userIdentifier: { type: "IDENTIFIER", patterns: patterns.map((value) => ({ matchType: "CONTAINS", value })) },
  },
  actions: { idp: { providers: [{ type: "SVC" }] } },
});

const oidcIdp = (name: string, url: string) => ({
  name,
  type: "OIDC",
  protocol: { type: "OIDC", endpoints: { sso: { url, binding: "HTTP-REDIRECT" } } },
});

/** A zone with so many ranges. */
const zoneOf = (count: number) => ({
  name: "one",
  gateways: Array.from({ length: count }, (_, i) => ({ type: "CIDR", value: `10.0.${i}.0/24` })),
});

const dynamicRule = (name: string) => ({
  name,
  actions: {
    idp: {
      idpSelectionType: "DYNAMIC",
      matchCriteria: [{ propertyName: "name", providerExpression: "login.identifier" }],
    },
  },
});

/** The nth record of each kind, as it is sent. */
const RECORDS: [QuotaName, path: string, noun: string, body: (name: string) => object][] = [
  ["users", "/users", "users", (name) => ({ profile: { ...user(name).profile } })],
  ["idps", "/idps", "identity providers", samlIdp],
  ["zones", "/zones", "zones", zone],
  ["trustedOrigins", "/trustedOrigins", "trusted origins", trustedOrigin],
  ["apiTokens", "/apiTokens", "API tokens", (name) => ({ name })],
  [
    "routingTests",
    "TESTS",
    "routing tests",
    (name) => ({ name, login: "joe", expected: { provider: { type: "SVC" } } }),
  ],
  ["rules", "RULES", "rules", (name) => rule(name)],
  ["dynamicRules", "RULES", "rules that select a provider by its name", (name) => dynamicRule(name)],
];

const causesOf = ({ body }: Answer): string[] =>
  body.errorCauses.map((cause: { errorSummary: string }) => cause.errorSummary);

/** What the table of counts says, without zeros. */
async function usageOf({ reader }: Store): Promise<Partial<Quotas>> {
  const rows = await reader.selectFrom("org_usage").select(["quota", "used"]).where("used", "<>", 0).execute();
  return Object.fromEntries(rows.map(({ quota, used }) => [quota, used]));
}

const BYTES = ["userBytes", "idpBytes", "ruleBytes", "zoneBytes"] as const;

/** The bytes that the tables have in the texts of which clients decide the length. */
async function measureTables({ reader }: Store): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce((select sum(octet_length(profile)) from users), 0)
      + coalesce((select sum(octet_length(protocol)) from idps), 0)
      + coalesce((select sum(octet_length(gateways) + octet_length(proxies)) from zones), 0)
      + coalesce((select sum(octet_length(conditions) + octet_length(actions)) from rules where system = 0), 0) as bytes
  `.execute(reader);
  return Number(rows[0]?.bytes);
}

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let api: ApiClient["api"];
  let rules: string;

  const startWith = async (quotas: Partial<Quotas>, need?: { bare: boolean }): Promise<void> => {
    data = await database(need);
    const settings = { quotas: { ...DEFAULT_QUOTAS, ...quotas } };
    ({ server, api } = await startApi(data, settings, { orgs: [DEMO] }));
    const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
    rules = `/policies/${policy.id}/rules`;
  };
  afterEach(() => server.close());

  const post = (path: string, body: object): Promise<Answer> =>
    api(path.replace("RULES", rules).replace("TESTS", rules.replace("rules", "routingTests")), {
      method: "POST",
      body,
    });

  it.each(RECORDS)("S9 %s of an org are as many as its quota allows", async (quota, path, noun, build) => {
    await startWith({ [quota]: 3 });
    const created: Answer[] = [];
    for (const name of ["one", "two", "three"]) created.push(await post(path, build(name)));
    expect(created.map(({ status }) => status)).toEqual([200, 200, 200]);

    const refused = await post(path, build("four"));
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      errorCode: "E0000195",
      errorSummary: `Api validation failed due to conflict: the quota ${quota} of the org is used up`,
    });
    expect(causesOf(refused)).toEqual([
      `${quota}: the org has 3 ${noun} and would have 4; at most 3 are allowed (quota ${quota}). ` +
        "Remove some, or ask the operator of the server for a higher quota.",
    ]);

    const { href } = created[0]!.body._links.self;
    const removals = quota === "users" ? 2 : 1; // the first one only deactivates
    for (let i = 0; i < removals; i++) await api(href, { method: "DELETE" });
    expect((await post(path, build("four"))).status).toBe(200);
    expect((await post(path, build("five"))).status).toBe(409);
    expect(await usageOf(await data.open())).toMatchObject({ [quota]: 3 });
  });

  it.each([
    ["zones", zone],
    ["users", (name: string) => ({ profile: user(name).profile })],
  ] as const)("S9 lets one of fifty that create the last of the %s at the same time", async (quota, build) => {
    await startWith({ [quota]: 3 });
    for (const name of ["one", "two"]) await post(`/${quota}`, build(name));
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => post(`/${quota}`, build(`n${i}`))));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(49).fill(409)]);
    expect((await api(`/${quota}`)).body).toHaveLength(3);
  });

  it("S9 counts the patterns of all rules, and their bytes", async () => {
    await startWith({ patterns: 4, patternBytes: 12 });
    const one = await post("RULES", rule("one", "a", "b", "c"));
    expect(one.status).toBe(200);
    const { href } = one.body._links.self;
    const put = (...patterns: string[]) => api(href, { method: "PUT", body: rule("one", ...patterns) });
    expect((await put("a", "b", "c", "d")).status).toBe(200);
    expect(causesOf(await put("a", "b", "c", "d", "e"))[0]).toContain(
      "patterns: the org has 4 patterns in its rules and would have 5; at most 4 are allowed (quota patterns)",
    );
    expect((await post("RULES", rule("two", "x"))).status).toBe(409);
    expect((await put("a", "bücher.ex")).status).toBe(200); // 11 bytes
    expect((await put("ab", "bücher.ex")).status).toBe(200);
    expect(causesOf(await put("abc", "bücher.ex"))[0]).toContain(
      "patternBytes: the org has 12 bytes of patterns in its rules and would have 13; at most 12 are allowed",
    );
    expect((await api(href, { method: "DELETE" })).status).toBe(204);
    expect((await post("RULES", rule("two", "x", "y", "z", "w"))).status).toBe(200);
    expect(await usageOf(await data.open())).toMatchObject({ rules: 1, patterns: 4, patternBytes: 4 });
  });

  it.each([
    ["userBytes", "/users", (x: string) => ({ profile: { ...user("joe").profile, x } })],
    ["idpBytes", "/idps", (x: string) => oidcIdp("one", `https://idp.example/${x}`)],
    ["zoneBytes", "/zones", (x: string) => zoneOf(x.length)],
    ["ruleBytes", "RULES", (x: string) => rule("one", `p${x}`)],
  ] as const)("S9 %s are the bytes of the stored texts, at every change", async (quota, path, build) => {
    await startWith({});
    const created = await post(path, build("abc"));
    expect(created.status).toBe(200);
    const { href } = created.body._links.self;
    const store = await data.open();
    const used = async () => (await usageOf(store))[quota];
    const first = (await used())!;
    expect(first).toBe(await measureTables(store));
    expect((await api(href, { method: "PUT", body: build("abcdef") })).status).toBe(200);
    const grown = (await used())!;
    expect(grown).toBeGreaterThan(first);
    expect(grown).toBe(await measureTables(store));

    await server.close();
    server = await startTestServer(data, { quotas: { ...DEFAULT_QUOTAS, [quota]: grown } });
    ({ api } = createClient(server, "demo", await insertApiToken(data.options, "demo")));
    const at = new URL(href).pathname.replace("/api/v1", "");
    const put = (x: string) => api(at, { method: "PUT", body: build(x) });
    expect((await put("abcde")).status).toBe(200);
    expect((await put("abcdef")).status).toBe(200);
    const refused = await put("abcdefg");
    expect([refused.status, causesOf(refused)[0]?.slice(0, quota.length)]).toEqual([409, quota]);
    expect(await used()).toBe(grown);
    for (let i = 0; i < (path === "/users" ? 2 : 1); i++) await api(at, { method: "DELETE" });
    expect((await used()) ?? 0).toBe(0);
  });

  it("S9 an import counts bytes, and obeys their quotas", async () => {
    await startWith({});
    const store = await data.open();
    const org = (x: string) => ({
      ...DEMO,
      users: [{ profile: { ...user("joe").profile, x } }],
      idps: [oidcIdp("one", `https://idp.example/${x}`)],
      zones: [zoneOf(x.length)],
      rules: [rule("one", `p${x}`)],
    });
    await importText(store, textOf(org("abcdef")));
    await importText(store, textOf(org("abc")));
    const used = await usageOf(store);
    const sum = BYTES.reduce((total, quota) => total + (used[quota] ?? 0), 0);
    expect(sum).toBe(await measureTables(store));
    const quotas = { ...DEFAULT_QUOTAS, ...Object.fromEntries(BYTES.map((quota) => [quota, used[quota]])) };
    const full = await data.open({ quotas });
    await importText(full, textOf(org("abc")));
    await importText(full, textOf(org("ab")));
    const failure = await importText(full, textOf(org("abcd"))).catch((error: unknown) => error);
    for (const quota of BYTES) expect(String(failure)).toContain(`(quota ${quota})`);
  });

  it("S9 counts a rule that becomes dynamic, and lets an org that has more keep them", async () => {
    await startWith({ dynamicRules: 1 });
    const rules2 = [dynamicRule("one"), dynamicRule("two"), rule("three")];
    await importText(await data.open(), textOf({ ...DEMO, rules: rules2 }));
    const [one, , three] = (await api(rules)).body;
    const put = ({ _links }: { _links: { self: { href: string } } }, body: object) =>
      api(_links.self.href, { method: "PUT", body });
    expect((await put(one, { ...dynamicRule("one"), status: "INACTIVE" })).status).toBe(200);
    expect(causesOf(await put(three, dynamicRule("three")))[0]).toContain("the org has 2 rules that select a provider");
    expect((await put(one, rule("one"))).status).toBe(200);
    expect((await put(one, dynamicRule("one"))).status).toBe(409);
    expect(await usageOf(await data.open())).toMatchObject({ rules: 3, dynamicRules: 1 });
  });

  it("S9 does not count the records of other orgs", async () => {
    await startWith({ zones: 1 });
    await importText(await data.open(), textOf(fullOrg("other")));
    expect((await post("/zones", zone("one"))).status).toBe(200);
    expect((await post("/zones", zone("two"))).status).toBe(409);
  });

  it("S9 lets an org that has more change and remove what it has", async () => {
    await startWith({ zones: 0, patterns: 1 });
    await importText(await data.open(), textOf({ ...DEMO, zones: [zone("one")], rules: [rule("one", "a", "b")] }));
    const [found] = (await api("/zones")).body;
    expect((await api(found._links.self.href, { method: "PUT", body: zone("new") })).status).toBe(200);
    expect((await api(found._links.self.href, { method: "DELETE" })).status).toBe(204);
    const [first] = (await api(rules)).body;
    const put = (...patterns: string[]) =>
      api(first._links.self.href, { method: "PUT", body: rule("one", ...patterns) });
    expect((await put("c", "d")).status).toBe(200);
    expect((await put("c", "d", "e")).status).toBe(409);
    expect((await put("c")).status).toBe(200);
  });

  it("S9 an import and a command obey the quotas", async () => {
    await startWith({});
    const store = await data.open({ quotas: { ...DEFAULT_QUOTAS, zones: 2, patterns: 3, apiTokens: 1 } });
    const two = { ...DEMO, zones: [zone("one"), zone("two")], rules: [rule("r", "a", "b", "c")] };
    await importText(store, textOf(two));
    await importText(store, textOf(two));
    const more = { ...DEMO, zones: [zone("two"), zone("three")], rules: [rule("r", "a", "b"), rule("s", "c", "d")] };
    const failure = await importText(store, textOf(more), { source: "x.json" }).catch((error: unknown) => error);
    expect(String(failure)).toMatch(
      /x\.json:\d+: orgs\[0\]\.zones: the org has 2 zones and would have 3; at most 2 are/,
    );
    expect(String(failure)).toMatch(/x\.json:\d+: orgs\[0\]\.rules: the org has 3 patterns .* have 4; at most 3 are/);
    expect(await usageOf(store)).toMatchObject({ zones: 2, rules: 1, patterns: 3, patternBytes: 3 });

    const request = { org: "demo", name: undefined, scopes: [], lifetime: Infinity, addresses: [] };
    for (let i = 0; i < 3; i++) await createToken(store, request); // the operator can always make one
    expect(await usageOf(store)).toMatchObject({ apiTokens: 3 });
  });

  it("S9 the tokens of links are beyond the quota of API tokens", async () => {
    const client = await startConsole(
      (data = await database()),
      { quotas: { ...DEFAULT_QUOTAS, apiTokens: 2 } },
      { orgs: [DEMO] },
    );
    ({ server } = client);
    const make = (cookie: string, name: string) =>
      client.visit(cookie, "/api/v1/apiTokens", { method: "POST", body: { name } });
    const { cookie } = await client.signIn({ code: await client.newCode() });
    expect((await make(cookie, "1")).status).toBe(200); // n - 1
    expect((await make(cookie, "2")).status).toBe(200); // n
    expect((await make(cookie, "3")).status).toBe(409); // n + 1
    const again = await client.signIn({ code: await client.newCode() });
    expect(again.answer.status).toBe(204);
    expect((await make(again.cookie, "3")).status).toBe(409);
  });

  it("counts what a database of an older version has", async () => {
    await startWith({}, { bare: true });
    const store = await data.open();
    const full = fullOrg("demo");
    await importText(store, textOf({ ...full, rules: [...full.rules, dynamicRule("by name")] }));
    const before = await usageOf(store);
    expect(before).toMatchObject({ users: 2, idps: 2, zones: 2, trustedOrigins: 2, rules: 4, dynamicRules: 1 });
    await store.write(async ({ db, dialect }) => {
      await sql`drop table org_usage`.execute(db);
      await sql`alter table orgs drop column status`.execute(db);
      await createOrgUsage(db as never, dialect.filter);
      await countBytes(db as never);
      await countDynamicRules(db as never, dialect.filter);
    });
    // the test's own token was not counted, and older versions had no history
    expect({ historyBytes: before.historyBytes, ...(await usageOf(store)) }).toEqual({ ...before, apiTokens: 1 });
  });
});
