import fc from "fast-check";
import { exportAll } from "../../src/transfer/export.js";
import { formatSummary, importText, type ImportSummary } from "../../src/transfer/import.js";
import type { Store } from "../../src/store/store.js";
import { startApi, type ApiClient } from "../support/api.js";
import { fullOrg, rule, samlIdp, textOf, trustedOrigin, user, zone } from "../support/documents.js";
import { formatQuery } from "../support/logs.js";
import type { Answer, TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

const LISTS = ["idps", "zones", "trustedOrigins", "users", "rules", "routingTests"] as const;

const inZone = (name: string, of: string) => ({
  ...rule(name),
  conditions: { network: { connection: "ZONE", include: [of] } },
});

describeStores((_engine, database) => {
  let store: Store;

  beforeEach(async () => {
    store = await (await database()).open();
    await importText(store, textOf(fullOrg("acme"), fullOrg("other")));
  });

  const prune = (members: object): Promise<ImportSummary> =>
    importText(store, textOf({ subdomain: "acme", name: "Acme", ...members }), { prune: true });
  const orgs = async () => JSON.parse(await exportAll(store)).orgs as Record<string, { name: string }[]>[];
  const namesOf = async (list: string): Promise<string[]> => ((await orgs())[0]?.[list] ?? []).map(({ name }) => name);

  it("removes what the lists of the file leave out, and nothing else", async () => {
    const [before, other] = await orgs();
    const counts = await prune({ idps: [samlIdp("New")], rules: [rule("only", "New")], zones: [] });
    expect(counts).toMatchObject({
      idps: { created: 1, updated: 0, unchanged: 0, removed: before?.["idps"]?.length },
      zones: { created: 0, removed: before?.["zones"]?.length },
      rules: { created: 1, removed: before?.["rules"]?.length },
      users: { removed: 0 },
    });
    const [after, same] = await orgs();
    expect(same).toEqual(other);
    for (const list of ["users", "trustedOrigins", "issuers", "domains", "rateLimits"]) {
      expect([list, after?.[list]]).toEqual([list, before?.[list]]);
    }
    expect([await namesOf("idps"), await namesOf("zones"), await namesOf("rules")]).toEqual([["New"], [], ["only"]]);
    expect(formatSummary(counts)).toContain("zones: 0 created, 0 updated, 0 unchanged, ");
  });

  it("empty lists remove all but the default rule, and give the quotas back", async () => {
    await prune({ ...Object.fromEntries(LISTS.map((list) => [list, []])) });
    const [org] = await orgs();
    for (const list of LISTS) expect([list, org?.[list]]).toEqual([list, []]);
    const usage = await store.reader.selectFrom("org_usage").selectAll().where("used", "<>", 0).execute();
    const { id } = await store.reader
      .selectFrom("orgs")
      .select("id")
      .where("subdomain", "=", "acme")
      .executeTakeFirstOrThrow();
    expect(usage.filter(({ org_id, quota }) => org_id === id && quota !== "historyBytes")).toEqual([]);
    const rules = await store.reader
      .selectFrom("rules")
      .select(["system", "priority"])
      .where("org_id", "=", id)
      .execute();
    expect(rules).toEqual([{ system: 1, priority: 1 }]);
  });

  it("the same file again changes nothing", async () => {
    const file = { idps: [samlIdp("New")], rules: [rule("only", "New")], users: [user("ann")] };
    await prune(file);
    const text = await exportAll(store);
    expect(await prune(file)).toMatchObject({
      idps: { unchanged: 1, removed: 0 },
      rules: { unchanged: 1, removed: 0 },
      users: { unchanged: 1, removed: 0 },
    });
    expect(await exportAll(store)).toBe(text);
  });

  it.each([
    ["an identity provider", { idps: [] }, /idps: must have "acme SAML": the rule ".*", which stays, refers to it/],
    ["a zone", { zones: [] }, /zones: must have ".*": the rule ".*", which stays, refers to it/],
  ])("refuses to remove %s that a rule needs which is not in the file", async (_what, file, fault) => {
    await importText(
      store,
      textOf({
        subdomain: "acme",
        name: "Acme",
        idps: [samlIdp("acme SAML")],
        zones: [zone("Z")],
        rules: [rule("a", "acme SAML"), inZone("b", "Z")],
      }),
    );
    const text = await exportAll(store);
    await expect(prune(file)).rejects.toThrow(fault);
    expect(await exportAll(store)).toBe(text);
  });

  it("a rule of the file can't lead to what the file removes", async () => {
    await importText(store, textOf({ subdomain: "acme", name: "Acme", idps: [samlIdp("Old")] }));
    await expect(prune({ idps: [], rules: [rule("a", "Old")] })).rejects.toThrow('no identity provider is named "Old"');
  });

  it("an origin may move from a record that goes to one of the file", async () => {
    await prune({ trustedOrigins: [{ ...trustedOrigin("a"), origin: "https://moves.example" }] });
    await prune({ trustedOrigins: [{ ...trustedOrigin("b"), origin: "https://moves.example" }] });
    expect(await namesOf("trustedOrigins")).toEqual(["b"]);
  });

  it("brings back an export, byte for byte, whatever has changed since", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(5), { maxLength: 4 }),
        fc.uniqueArray(fc.nat(5), { maxLength: 4 }),
        async (first, second) => {
          const file = (numbers: number[]) => ({
            idps: numbers.map((n) => samlIdp(`I${n}`)),
            zones: numbers.map((n) => zone(`Z${n}`)),
            trustedOrigins: numbers.map((n) => trustedOrigin(`t${n}`)),
            users: numbers.map((n) => user(`u${n}`)),
            rules: numbers.flatMap((n) => [rule(`r${n}`, `I${n}`), inZone(`z${n}`, `Z${n}`)]),
          });
          await prune(file(first));
          const text = await exportAll(store);
          await prune(file(second));
          await importText(store, text, { prune: true });
          expect(await exportAll(store)).toBe(text);
        },
      ),
      { numRuns: 8, endOnFailure: true },
    );
  });
});

describeStores((_engine, database) => {
  let server: TestServer;
  let api: ApiClient["api"];

  beforeEach(async () => {
    ({ server, api } = await startApi(await database(), {}, { orgs: [fullOrg("demo"), fullOrg("acme")] }));
  });
  afterEach(() => server.close());

  const post = (query: string, members: object): Promise<Answer> =>
    api(`/org/import${query}`, { method: "POST", body: { orgs: [{ subdomain: "demo", ...members }] } });

  it("prune=true of the API tells what it removes, removes it, and writes the events", async () => {
    const file = { trustedOrigins: [trustedOrigin("new")], users: [user("ann")] };
    const kept = await post("?dryRun=true", file);
    expect(kept.body.counts.users).not.toHaveProperty("removed");
    const [users, origins] = [(await api("/users")).body, (await api("/trustedOrigins")).body];

    const told = await post("?dryRun=true&prune=true", file);
    expect(told.body.counts).toMatchObject({
      users: { removed: users.length - 1 },
      trustedOrigins: { removed: origins.length },
    });
    expect(told.body.changes).toContainEqual({
      kind: "trustedOrigins",
      event: "delete",
      place: "orgs[0].trustedOrigins",
      id: origins[0].id,
      name: origins[0].name,
      members: [],
    });
    expect((await api("/users")).body).toHaveLength(users.length);

    expect((await post("?prune=true", file)).body.counts).toEqual(told.body.counts);
    expect((await api("/users")).body.map(({ profile }: { profile: { login: string } }) => profile.login)).toEqual([
      "ann",
    ]);
    const eventsOf = async (type: string) => (await api(formatQuery({ filter: `eventType eq "${type}"` }))).body;
    expect(await eventsOf("user.lifecycle.delete.completed")).toHaveLength(users.length - 1);
    expect(await eventsOf("security.trusted_origin.delete")).toHaveLength(origins.length);
  });

  it("a restore brings back what an import with prune removed, changed and moved", async () => {
    const exported = async () => (await api("/org/export?users=false")).text;
    const before = await exported();
    const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
    const revisions = `/policies/${policy.id}/revisions`;
    const [{ revision }] = (await api(revisions)).body;
    const rules = [rule("third", "New"), rule("new"), { ...rule("second"), status: "ACTIVE" }];
    await post("?prune=true", { idps: [samlIdp("New")], zones: [], trustedOrigins: [], rules });
    expect((await api(revisions)).body[0].revision).toBeGreaterThan(revision);
    expect(await exported()).not.toBe(before);

    const { headers } = await api(`${revisions}/${revision}`);
    const restored = await api(`${revisions}/${revision}/restore`, {
      method: "POST",
      headers: { "If-Match": String(headers["etag"]) },
    });
    expect([restored.status, restored.text.slice(0, 500)]).toEqual([200, expect.anything()]);
    expect(await exported()).toBe(before);
  });

  it("a restore puts a hundred rules of an import back in their order, and a trace knows it", async () => {
    const names = Array.from({ length: 100 }, (_, i) => `rule ${i}`);
    const listed = async () => {
      const { body } = await api(`${policyUrl}/rules?limit=200`);
      return (body as { name: string }[]).map(({ name }) => name);
    };
    const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
    const policyUrl = `/policies/${policy.id}`;
    await post("?prune=true", { rules: names.map((name) => rule(name)) });
    const before = await listed();
    const [{ revision }] = (await api(`${policyUrl}/revisions`)).body;
    await post("?prune=true", {
      rules: names
        .toReversed()
        .slice(7)
        .map((name) => rule(`new ${name}`)),
    });
    await post("", { rules: names.slice(50).map((name) => ({ ...rule(name), status: "INACTIVE" })) });
    const traced = await api(
      `${policyUrl}/trace?resource=svc:acct:joe@rule%2042.example&revision=${revision}&limit=200`,
    );
    expect(traced.body.rules.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, 43));
    const { headers } = await api(`${policyUrl}/revisions/${revision}`);
    await api(`${policyUrl}/revisions/${revision}/restore`, {
      method: "POST",
      headers: { "If-Match": String(headers["etag"]) },
    });
    expect(await listed()).toEqual(before);
  });

  it("a list of the default rule alone leaves the routing that it had", async () => {
    const before = (await api("/policies?type=IDP_DISCOVERY")).body;
    await post("?prune=true", { rules: [] });
    const rules = (await api(`/policies/${before[0].id}/rules`)).body;
    expect(rules.map(({ system, priority }: { system: boolean; priority: number }) => [system, priority])).toEqual([
      [true, 1],
    ]);
  });

  it.each(["?prune=yes", "?prune=", "?prune=true&prune=true"])("refuses %s", async (query) => {
    expect((await post(query, {})).status).toBe(400);
  });
});
