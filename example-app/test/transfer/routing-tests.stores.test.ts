import { DEFAULT_QUOTAS } from "../../src/model/quotas.js";
import { exportAll } from "../../src/transfer/export.js";
import { importText, type ImportOptions } from "../../src/transfer/import.js";
import type { Store } from "../../src/store/store.js";
import { startApi } from "../support/api.js";
import { rule, samlIdp, textOf, zone } from "../support/documents.js";
import { describeStores, type TestDatabase } from "../support/stores.js";

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
    await put(lists, { prune: true });
    const [alpha] = (await testsOf()) as unknown as [typeof ALPHA];
    expect([alpha.zone, alpha.expected.provider.idp, alpha.expected.rule]).toEqual(
      Array<unknown>(3).fill(expect.stringMatching(/^\w{20}$/)),
    );
    const text = await exportAll(store);
    expect((await importText(store, text)).routingTests).toEqual({ created: 0, updated: 0, unchanged: 2 });
    const other = await (await database()).open();
    await importText(other, text);
    expect(await exportAll(other)).toBe(text);
  });

  it("an export with pseudonyms hides the names and the logins of tests", async () => {
    const joe = { ...ALPHA, name: "Joe Secret", login: "joe.secret@alpha.example" };
    await put({ routingTests: [joe] });
    const text = await exportAll(store, { pseudonymize: true });
    expect(text).not.toMatch(/secret/i);
    const tests = JSON.parse(text).orgs[0].routingTests as { name: string; login: string }[];
    expect(tests.map(({ login }) => login)).toContainEqual(expect.stringMatching(/^p-[0-9a-f]{20}@alpha\.example$/));
  });

  it("the API imports and exports tests", async () => {
    const { server, api } = await startApi(data);
    const exported = (await api("/org/export")).body;
    expect(exported.orgs[0].routingTests).toMatchObject([ALPHA, STRANGER]);
    expect((await api("/org/import", { method: "POST", body: exported })).body.counts.routingTests).toEqual({
      created: 0,
      updated: 0,
      unchanged: 2,
    });
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
