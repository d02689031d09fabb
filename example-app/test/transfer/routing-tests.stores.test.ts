import { DEFAULT_QUOTAS } from "../../src/model/quotas.js";
import { exportAll } from "../../src/transfer/export.js";
import { importFile, importText, rehearseFile, type ImportOptions } from "../../src/transfer/import.js";
import type { Store } from "../../src/store/store.js";
import { insertApiToken, createClient, startApi } from "../support/api.js";
import { rule, samlIdp, textOf, zone } from "../support/documents.js";
import type { Answer } from "../support/server.js";
import { describeStores, makeFolder, type TestDatabase } from "../support/stores.js";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = makeFolder();

const ALPHA = {
  name: "alpha",
  login: "joe@alpha.example",
  zone: "Office",
  userAgent: "curl/8",
  expected: { provider: { idp: "Alpha" }, rule: "alpha" },
};
const STRANGER = {
  name: "stranger",
  login: "ann",
  clientIp: "192.0.2.1",
  expected: { provider: { type: "SVC" }, rule: "Default Rule" },
};
const ORG = {
  subdomain: "demo",
  name: "Demo",
  idps: [samlIdp("Alpha"), samlIdp("Beta")],
  zones: [zone("Office")],
  rules: [rule("alpha", "Alpha"), rule("beta", "Beta")],
  routingTests: [ALPHA, STRANGER],
};
const org = (members: object) => ({ subdomain: "demo", name: "Demo", ...members });
const moved = { ...rule("alpha", "Beta") };

/** What an import of `moved` breaks. */
const FAILURE =
  '"alpha": joe@alpha.example from "Office": expected "Alpha" by the rule "alpha", got "Beta" (rule "alpha")';

describeStores((_engine, database) => {
  let data: TestDatabase;
  let store: Store;

  beforeEach(async () => {
    data = await database();
    store = await data.open();
    await importText(store, textOf(ORG));
  });

  const put = (members: object, options: ImportOptions = {}) => importText(store, textOf(org(members)), options);
  const reasonOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "none",
      (error: unknown) => (error as Error).message,
    );
  const testsOf = async (of = store) => JSON.parse(await exportAll(of)).orgs[0].routingTests as { name: string }[];

  it("an export has the tests with names, and an import of it changes nothing, also elsewhere", async () => {
    const text = await exportAll(store);
    expect(JSON.parse(text).orgs[0].routingTests).toEqual([
      { id: expect.any(String), ...ALPHA },
      { id: expect.any(String), ...STRANGER },
    ]);
    const summary = await importText(store, text);
    expect(summary.routingTests).toEqual({ created: 0, updated: 0, unchanged: 2 });
    const other = await (await database()).open();
    expect((await importText(other, text)).routingTests).toEqual({ created: 2, updated: 0, unchanged: 0 });
    expect(await exportAll(other)).toBe(text);
  });

  it("a test of the file refers to rules that are only in the org, and is the whole test", async () => {
    const changed = { name: "stranger", login: "bob@beta.example", expected: { rule: "beta" } };
    const { routingTests } = await put({ routingTests: [changed] });
    expect(routingTests).toEqual({ created: 0, updated: 1, unchanged: 0 });
    expect((await testsOf())[1]).toEqual({ id: expect.any(String), ...changed });
  });

  it("names that nothing has are faults", async () => {
    const wrong = { ...ALPHA, zone: "Ofice", expected: { provider: { idp: "Alfa" }, rule: "x" } };
    expect(
      (await reasonOf(put({ routingTests: [wrong] })))
        .replaceAll(/import:\d+: /g, "")
        .split("\n")
        .sort(),
    ).toEqual([
      'orgs[0].routingTests[0].expected.provider.idp: no identity provider is named "Alfa"',
      'orgs[0].routingTests[0].expected.rule: no rule is named "x"',
      'orgs[0].routingTests[0].zone: no zone is named "Ofice"',
    ]);
  });

  it("an import after which a test fails is refused, also a rehearsal, unless that is allowed", async () => {
    const before = await exportAll(store);
    const path = join(folder, "moved.json");
    writeFileSync(path, textOf(org({ rules: [moved] })));
    const fault = `orgs[0].routingTests: fails: ${FAILURE}`;
    expect(await reasonOf(importFile(store, path))).toBe(`${path}:3: ${fault}`);
    expect(await reasonOf(rehearseFile(store, path))).toBe(`${path}:3: ${fault}`);
    expect(await exportAll(store)).toBe(before);
    await importFile(store, path, { allowFailingTests: true });
    expect(await reasonOf(put({ rules: [rule("alpha")] }))).toBe("none"); // it failed before
  });

  it("the tests of the file are those that run after its changes", async () => {
    const expected = { provider: { idp: "Beta" } };
    expect(await reasonOf(put({ rules: [moved], routingTests: [{ ...ALPHA, expected }] }))).toBe("none");
    expect(await reasonOf(put({ routingTests: [{ ...STRANGER, expected }] }))).toContain(
      'fails: "stranger": ann from 192.0.2.1: expected "Beta", got the org itself (rule "Default Rule")',
    );
    expect((await testsOf())[1]).toMatchObject(STRANGER);
  });

  it("prune removes tests that the list leaves out, and keeps them without a list", async () => {
    const { routingTests } = await put({ rules: ORG.rules }, { prune: true });
    expect(routingTests.removed).toBe(0);
    expect((await put({ routingTests: [STRANGER] }, { prune: true })).routingTests.removed).toBe(1);
    expect((await testsOf()).map(({ name }) => name)).toEqual(["stranger"]);
    const usage = await store.reader
      .selectFrom("org_usage")
      .select("used")
      .where("quota", "=", "routingTests")
      .execute();
    expect(usage).toEqual([{ used: 1 }]);
  });

  it("what a test names may go if that is allowed: an export has its id, and an import takes it", async () => {
    const lists = { idps: [samlIdp("Beta")], zones: [], rules: [rule("beta", "Beta")] };
    expect(await reasonOf(put(lists, { prune: true }))).toContain("the zone is gone or has no gateway");
    await put(lists, { prune: true, allowFailingTests: true });
    const [alpha] = (await testsOf()) as unknown as [typeof ALPHA];
    expect([alpha.zone, alpha.expected.provider.idp, alpha.expected.rule]).toEqual(
      Array<unknown>(3).fill(expect.stringMatching(/^\w{20}$/)),
    );
    const text = await exportAll(store);
    expect((await importText(store, text)).routingTests).toEqual({ created: 0, updated: 0, unchanged: 2 });
    const other = await (await database()).open();
    expect(await reasonOf(importText(other, text))).toContain("the zone is gone or has no gateway");
    await importText(other, text, { allowFailingTests: true });
    expect(await exportAll(other)).toBe(text);
  });

  it("an export with pseudonyms hides the names and the logins of tests, and passes them", async () => {
    const joe = { ...ALPHA, name: "Joe Secret", login: "joe.secret@alpha.example" };
    await put({ routingTests: [joe] });
    const text = await exportAll(store, { pseudonymize: true });
    expect(text).not.toMatch(/secret/i);
    const tests = JSON.parse(text).orgs[0].routingTests as { name: string; login: string }[];
    expect(tests.map(({ login }) => login)).toContainEqual(expect.stringMatching(/^p-[0-9a-f]{20}@alpha\.example$/));
    expect(await reasonOf(importText(await (await database()).open(), text))).toBe("none");
  });

  it("the API imports and exports tests, and refuses as other changes do", async () => {
    const { server, api } = await startApi(data);
    const post = (query: string, members: object): Promise<Answer> =>
      api(`/org/import${query}`, { method: "POST", body: { orgs: [{ subdomain: "demo", ...members }] } });
    const exported = (await api("/org/export")).body;
    expect(exported.orgs[0].routingTests).toMatchObject([ALPHA, STRANGER]);
    expect((await api("/org/import", { method: "POST", body: exported })).body.counts.routingTests).toEqual({
      created: 0,
      updated: 0,
      unchanged: 2,
    });
    for (const query of ["", "?dryRun=true"]) {
      const refused = await post(query, { rules: [moved] });
      expect(refused).toMatchObject({ status: 409, body: { errorCode: "E0009102" } });
      expect(refused.body.errorCauses).toEqual([
        { errorSummary: FAILURE },
        { errorSummary: "To make the change nevertheless, send allowFailingTests=true." },
      ]);
    }
    expect((await api("/org/export")).body).toEqual(exported);
    const rehearsed = await post("?dryRun=true&allowFailingTests=true", { rules: [moved] });
    expect(rehearsed.body).toMatchObject({ counts: { rules: { updated: 1 } }, revision: null });
    expect((await api("/org/export")).body).toEqual(exported);
    const made = await post("?allowFailingTests=true", { rules: [moved], routingTests: [STRANGER] });
    expect(made.body.counts).toMatchObject({ rules: { updated: 1 }, routingTests: { unchanged: 1 } });
    const scopes = ["idps", "policies", "trustedOrigins", "users", "zones"].map((name) => `${name}.manage`);
    const importer = createClient(server, "demo", await insertApiToken(data.options, "demo", scopes)).api;
    const back = await importer("/org/import", { method: "POST", body: exported });
    expect([back.status, back.body.changes]).toEqual([200, [expect.objectContaining({ kind: "rules" })]]);
    await server.close();
  });

  it("a file has as many tests as the quota allows", async () => {
    const limited = await data.open({ quotas: { ...DEFAULT_QUOTAS, routingTests: 3 } });
    const third = { ...STRANGER, name: "third" };
    await importText(limited, textOf(org({ routingTests: [third] })));
    expect(
      await reasonOf(importText(limited, textOf(org({ routingTests: [{ ...third, name: "fourth" }] })))),
    ).toContain("the org has 3 routing tests and would have 4; at most 3 are allowed (quota routingTests)");
  });
});
