import { sql } from "kysely";
import { DEFAULT_QUOTAS, type QuotaName, type Quotas } from "../../src/model/quotas.js";
import { createToken, TokenError } from "../../src/program/tokens.js";
import { createOrgUsage } from "../../src/store/org-usage.js";
import type { Store } from "../../src/store/store.js";
import { importText } from "../../src/transfer/import.js";
import { startApi, type ApiClient } from "../support/api.js";
import { fullOrg, samlIdp, textOf, trustedOrigin, user, zone } from "../support/documents.js";
import type { Answer, TestServer } from "../support/server.js";
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

/** The nth record of each kind, as it is sent. */
const RECORDS: [QuotaName, path: string, noun: string, body: (name: string) => object][] = [
  ["users", "/users", "users", (name) => ({ profile: { ...user(name).profile } })],
  ["idps", "/idps", "identity providers", samlIdp],
  ["zones", "/zones", "zones", zone],
  ["trustedOrigins", "/trustedOrigins", "trusted origins", trustedOrigin],
  ["apiTokens", "/apiTokens", "API tokens", (name) => ({ name })],
  ["rules", "RULES", "rules", (name) => rule(name)],
];

const causesOf = ({ body }: Answer): string[] =>
  body.errorCauses.map((cause: { errorSummary: string }) => cause.errorSummary);

/** What the table of counts says, without zeros. */
async function usageOf({ reader }: Store): Promise<Partial<Quotas>> {
  const rows = await reader.selectFrom("org_usage").select(["quota", "used"]).where("used", "<>", 0).execute();
  return Object.fromEntries(rows.map(({ quota, used }) => [quota, used]));
}

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let api: ApiClient["api"];
  let rules: string;

  const startWith = async (quotas: Partial<Quotas>): Promise<void> => {
    data = await database({ bare: true });
    const settings = { quotas: { ...DEFAULT_QUOTAS, ...quotas } };
    ({ server, api } = await startApi(data, settings, { orgs: [DEMO] }));
    const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
    rules = `/policies/${policy.id}/rules`;
  };
  afterEach(() => server.close());

  const post = (path: string, body: object): Promise<Answer> =>
    api(path === "RULES" ? rules : path, { method: "POST", body });

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
    expect(await usageOf(await data.open())).toEqual({ rules: 1, patterns: 4, patternBytes: 4 });
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
    expect(await usageOf(store)).toEqual({ zones: 2, rules: 1, patterns: 3, patternBytes: 3 });

    const request = { org: "demo", name: undefined, scopes: [], lifetime: Infinity, addresses: [] };
    await createToken(store, request);
    await expect(createToken(store, request)).rejects.toThrow(TokenError);
    await expect(createToken(store, request)).rejects.toThrow("at most 1 are allowed (quota apiTokens)");
  });

  it("counts what a database of an older version has", async () => {
    await startWith({});
    const store = await data.open();
    await importText(store, textOf(fullOrg("demo")));
    const before = await usageOf(store);
    expect(before).toMatchObject({ users: 2, idps: 2, zones: 2, trustedOrigins: 2, rules: 3 });
    await store.write(async ({ db, dialect }) => {
      await sql`drop table org_usage`.execute(db);
      await sql`alter table orgs drop column status`.execute(db);
      await createOrgUsage(db as never, dialect);
    });
    expect(await usageOf(store)).toEqual({ ...before, apiTokens: 1 }); // the test's own was not counted
  });
});
