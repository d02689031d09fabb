import https from "node:https";
import { DEFAULT_QUOTAS } from "../../src/model/quotas.js";
import { ORG_FILE_LIMITS } from "../../src/transfer/org-file-limits.js";
import { createClient, insertApiToken, startApi, type ApiClient } from "../support/api.js";
import { fullOrg, rule, samlIdp, trustedOrigin, user, zone } from "../support/documents.js";
import { findEvents, formatQuery } from "../support/logs.js";
import type { Answer, TestServer } from "../support/server.js";
import { describeStores, type TestDatabase } from "../support/stores.js";

const READ = ["policies", "idps", "trustedOrigins", "users", "zones"].map((name) => `${name}.read`);
const MANAGE = READ.map((name) => name.replace("read", "manage"));
const IMPORT = "/org/import";
const DRY_RUN = "/org/import?dryRun=true";
const EXPORT = "/org/export";

const causesOf = ({ body }: Answer): string[] =>
  body.errorCauses.map((cause: { errorSummary: string }) => cause.errorSummary);
const fileOf = (members: object) => ({ orgs: [{ subdomain: "demo", ...members }] });
const countMembers = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, member) => sum + 1 + countMembers(member), 0)
    : 0;
const nothing = { created: 0, updated: 0, unchanged: 0 };

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let api: ApiClient["api"];

  const startWith = async (settings: object = {}, org: object = fullOrg("demo")): Promise<void> => {
    data = await database();
    ({ server, api } = await startApi(data, settings, { orgs: [org, fullOrg("acme")] }));
  };
  afterEach(() => server.close());

  const post = (path: string, body: unknown): Promise<Answer> => api(path, { method: "POST", body });
  const countOf = async (path: string): Promise<number> => (await api(`${path}?limit=200`)).body.length;

  it("exports what the org's administrators manage, and an import of that changes nothing", async () => {
    await startWith();
    const exported = await api(EXPORT);
    expect(exported.status).toBe(200);
    expect(exported.headers["content-disposition"]).toBe('attachment; filename="demo.json"');
    const [org] = exported.body.orgs;
    expect(Object.keys(org)).toEqual([
      ...[
        "subdomain",
        "name",
        "policyId",
        "signInUrl",
        "whenProfileUnavailable",
        "idps",
        "zones",
        "trustedOrigins",
        "users",
        "rules",
        "routingTests",
        "defaultRule",
      ],
    ]);
    expect(org).toMatchObject({ subdomain: "demo", users: [{ profile: { login: "ann" } }, {}], idps: [{}, {}] });
    expect(JSON.stringify(exported.body)).not.toMatch(/acme|hash|secret/);
    for (const path of [DRY_RUN, IMPORT]) {
      expect((await post(path, exported.body)).body).toEqual({
        dryRun: path === DRY_RUN,
        counts: {
          idps: { ...nothing, unchanged: 2 },
          zones: { ...nothing, unchanged: 2 },
          trustedOrigins: { ...nothing, unchanged: 2 },
          rules: { ...nothing, unchanged: 4 },
          routingTests: nothing,
          users: { ...nothing, unchanged: 2 },
        },
        revision: null,
        changes: [],
        samples: [],
        findings: { added: [], addedCount: 0, removed: [], removedCount: 0 },
      });
    }
    expect((await api(`${EXPORT}?users=false`)).body.orgs[0]).not.toHaveProperty("users");
    expect(causesOf(await api(`${EXPORT}?users=no`))).toEqual(['users: must be true or false, not "no"']);
  });

  it("a dry run tells what the import then does, and does nothing", async () => {
    await startWith();
    const file = fileOf({
      idps: [samlIdp("New"), { ...samlIdp("Contoso"), status: "INACTIVE" }],
      zones: [zone("Office")],
      users: [{ ...user("ann"), profile: { ...user("ann").profile, firstName: "Ann" } }],
      rules: [rule("third", "New")],
    });
    const before = (await api(EXPORT)).text;
    const rehearsal = await post(DRY_RUN, file);
    expect(rehearsal.body).toMatchObject({
      dryRun: true,
      counts: { idps: { created: 1, updated: 1, unchanged: 0 }, zones: { unchanged: 1 }, users: { updated: 1 } },
      changes: [
        { kind: "idps", event: "create", place: "orgs[0].idps[0]", name: "New", members: [] },
        { kind: "idps", event: "update", place: "orgs[0].idps[1]", name: "Contoso", members: ["status"] },
        { kind: "rules", event: "update", place: "orgs[0].rules[0]", name: "third", members: ["priority", "actions"] },
        { kind: "users", event: "update", place: "orgs[0].users[0]", name: "ann", members: ["profile.firstName"] },
      ],
    });
    expect((await api(EXPORT)).text).toBe(before);

    const imported = await post(IMPORT, file);
    expect(imported.body).toMatchObject({ dryRun: false, counts: rehearsal.body.counts });
    expect((await api(EXPORT)).body.orgs[0].rules[0]).toMatchObject({
      name: "third",
      actions: { idp: { providers: [{ idp: "New" }] } },
    });
    expect((await post(DRY_RUN, file)).body.changes).toEqual([]);
  });

  it("says which findings about rules it adds and removes, as the findings are then", async () => {
    await startWith();

    const file = fileOf({
      idps: [samlIdp("Contoso")],
      rules: [{ ...rule("everyone", "Contoso"), conditions: {} }, rule("second", "Contoso"), rule("third", "Contoso")],
    });
    const rehearsal = await post(DRY_RUN, file);
    const { added, addedCount } = rehearsal.body.findings;
    expect(added.map(({ type, ruleName }: Record<string, string>) => `${type} ${ruleName}`)).toContain(
      "UNREACHABLE third",
    );
    const moved = rehearsal.body.samples.filter(({ changed }: { changed: boolean }) => changed);
    expect(
      moved.map(({ login, after }: { login: string; after: { rule: { name: string } } }) => [login, after.rule.name]),
    ).toEqual([
      ["joe@example.com", "everyone"],
      ["joe@elsewhere.example", "everyone"],
    ]);
    const { body } = await post(IMPORT, file);
    expect(body).toMatchObject({ findings: { addedCount }, samples: [] });
    const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
    const found = (await api(`/policies/${policy.id}/findings?type=UNREACHABLE`)).body;
    expect(found.map(({ ruleName }: Record<string, string>) => ruleName)).toContain("third");
    expect((await post(IMPORT, file)).body.findings).toMatchObject({ addedCount: 0, removedCount: 0 });
  });

  it("writes an event for each changed record, with the token as the actor", async () => {
    await startWith();
    const token = await insertApiToken(data.options, "demo", MANAGE.concat(READ), { name: "Importer" });
    const importer = createClient(server, "demo", token);
    const body = fileOf({ zones: [zone("Second"), { ...zone("Office"), status: "INACTIVE" }, { name: "Empty" }] });
    const { headers } = await importer.api(IMPORT, { method: "POST", body });
    const events = await findEvents({ api }, String(headers["x-svc-request-id"]));
    expect(
      events.map(({ eventType, actor, target }) => [eventType, actor.displayName, target?.[0]?.displayName]),
    ).toEqual([
      ["zone.create", "Importer", "Second"],
      ["zone.update", "Importer", "Office"],
    ]);
    await importer.api(EXPORT);
    const exports = await api(formatQuery({ filter: 'eventType eq "org.export"' }));
    expect(exports.body).toMatchObject([{ actor: { displayName: "Importer" }, target: [{ displayName: "demo" }] }]);
  });

  it("names every mistake with its place, and changes nothing", async () => {
    await startWith();
    const before = (await api(EXPORT)).text;
    const file = fileOf({
      zones: [zone("Fine"), { name: "Broken", gateways: [{ type: "CIDR", value: "10.0.0.0/33" }] }],
      rules: [rule("lost", "Nobody")],
      misspelled: [],
    });
    for (const path of [DRY_RUN, IMPORT]) {
      const refused = await post(path, file);
      expect(refused).toMatchObject({ status: 400, body: { errorCode: "E0000001" } });
      expect(causesOf(refused)).toEqual([
        expect.stringMatching(/^orgs\[0\]\.misspelled: is unknown/),
        expect.stringMatching(/^orgs\[0\]\.zones\[1\]\.gateways\[0\]\.value: /),
      ]);
    }
    expect(causesOf(await post(DRY_RUN, fileOf({ zones: [zone("Fine")], rules: [rule("lost", "Nobody")] })))).toEqual([
      'orgs[0].rules[0].actions.idp.providers[0].idp: no identity provider is named "Nobody"',
    ]);
    const many = Array.from({ length: 120 }, (_, i) => ({ name: `Zone ${i}`, gateways: "none" }));
    const causes = causesOf(await post(DRY_RUN, fileOf({ zones: many })));
    expect([causes.length, causes.at(-1)]).toEqual([101, "There are more faults than these."]);
    expect((await api(EXPORT)).text).toBe(before);
  });

  it("leaves to the operator what is not the administrators'", async () => {
    await startWith();
    const cases: [file: unknown, cause: string][] = [
      [{ orgs: [{ ...fullOrg("acme") }] }, "orgs[0].subdomain: must be demo, the org of this host"],
      [{ orgs: [{ subdomain: "demo" }, { subdomain: "acme" }] }, "orgs: must have one org, demo; this has 2"],
      [{}, "orgs: is required"],
      [fileOf({ name: "Mine" }), "orgs[0].name: can't change here; the operator"],
      [fileOf({ name: "The demo org", domains: ["id.acme.example"] }), "orgs[0].domains: can't change here"],
      [fileOf({ name: "The demo org", rateLimits: {} }), "orgs[0].rateLimits: can't change here"],
      [fileOf({ name: "The demo org", status: "SUSPENDED" }), "orgs[0].status: can't change here"],
      [fileOf({ name: "The demo org", issuers: [] }), "orgs[0].issuers: can't change here"],
      [fileOf({ policyId: "0".repeat(20) }), "orgs[0].policyId: can't change here"],
    ];
    for (const [file, cause] of cases) {
      const refused = await post(IMPORT, file);
      expect(refused.status).toBe(400);
      expect(causesOf(refused)).toContainEqual(expect.stringContaining(cause));
    }
  });

  it("needs every scope of what is in a file", async () => {
    await startWith();
    for (const [scopes, method, path] of [
      [READ, "GET", EXPORT],
      [MANAGE, "POST", DRY_RUN],
    ] as const) {
      for (const missing of [undefined, ...scopes]) {
        const rest = scopes.filter((scope) => scope !== missing);
        const token = await insertApiToken(data.options, "demo", rest);
        const { status } = await createClient(server, "demo", token).api(path, {
          method,
          ...(method === "POST" && { body: fileOf({}) }),
        });
        expect([missing, status]).toEqual([missing, missing === undefined ? 200 : 403]);
      }
    }
  });

  it("S9 obeys the quotas of the org", async () => {
    await startWith({ quotas: { ...DEFAULT_QUOTAS, zones: 3 } });
    expect((await post(DRY_RUN, fileOf({ zones: [zone("Third")] }))).status).toBe(200);
    for (const path of [DRY_RUN, IMPORT]) {
      const refused = await post(path, fileOf({ zones: [zone("Third"), zone("Fourth")] }));
      expect(refused).toMatchObject({ status: 409, body: { errorCode: "E0000195" } });
      expect(causesOf(refused)).toEqual([
        "orgs[0].zones: the org has 2 zones and would have 4; at most 3 are allowed (quota zones)",
      ]);
    }
    expect(await countOf("/zones")).toBe(2);
    expect((await post(IMPORT, fileOf({ zones: [zone("Third")] }))).status).toBe(200); // a refused one took nothing
  });

  it("S9 takes and gives at most 1,500 records", async () => {
    await startWith({}, { subdomain: "demo", name: "Demo" });
    const users = Array.from({ length: ORG_FILE_LIMITS.records + 1 }, (_, i) => ({
      profile: { login: `u${i}`, email: "a@b.example", firstName: "A", lastName: "B" },
    }));
    const importing = (count: number) => post(IMPORT, fileOf({ users: users.slice(0, count) }));
    const first = await importing(ORG_FILE_LIMITS.records - 1);
    expect(first.body).toMatchObject({ counts: { users: { created: ORG_FILE_LIMITS.records - 1 } } });
    expect(first.body.changes).toHaveLength(1_000);
    expect((await api(EXPORT)).body.orgs[0].users).toHaveLength(ORG_FILE_LIMITS.records - 1);
    expect((await importing(ORG_FILE_LIMITS.records)).body).toMatchObject({ counts: { users: { created: 1 } } });
    expect((await api(EXPORT)).body.orgs[0].users).toHaveLength(ORG_FILE_LIMITS.records);
    expect(causesOf(await importing(ORG_FILE_LIMITS.records + 1))).toEqual([
      "orgs[0]: has 1501 records; at most 1500 are allowed here: the operator of the server can import more, with the command import",
    ]);
    expect((await post("/zones", zone("One more"))).status).toBe(200);
    const refused = await api(EXPORT);
    expect([refused.status, causesOf(refused)[0]]).toEqual([
      400,
      expect.stringMatching(/^The file would have 1501 records or more; at most 1500 are allowed here\./),
    ]);
    expect((await api(`${EXPORT}?users=false`)).status).toBe(200);
  });

  it("S9 takes at most 1 MiB", async () => {
    await startWith();
    const { bytes } = ORG_FILE_LIMITS;
    const text = JSON.stringify(fileOf({}));
    for (const length of [bytes - 1, bytes]) {
      expect((await post(DRY_RUN, text.padEnd(length))).status).toBe(200);
    }
    const headers = { "Content-Length": String(bytes + 1) };
    expect((await api(DRY_RUN, { method: "POST", headers })).status).toBe(413);
  });

  it("S9 takes at most 15,000 members and elements", async () => {
    await startWith();
    const fileWith = (members: number) => {
      const users = Array.from({ length: 160 }, (_, i) => user(`many${i}`));
      for (let i = 0, left = members - countMembers(fileOf({ users })); left > 0; i++, left -= 90) {
        const more = Array.from({ length: Math.min(90, left) }, (_, j) => [`a${j}`, j]);
        users[i] = { profile: { ...users[i]!.profile, ...Object.fromEntries(more) } };
      }
      return fileOf({ users });
    };
    const members = 15_000;
    for (const count of [members - 1, members]) {
      expect(countMembers(fileWith(count))).toBe(count);
      expect((await post(DRY_RUN, fileWith(count))).status).toBe(200);
    }
    expect(await post(DRY_RUN, fileWith(members + 1))).toMatchObject({ status: 400, body: { errorCode: "E0000003" } });
  });

  it("S9 reads at most 8 MiB of the org's profiles", async () => {
    const longest = 65_536; // of one profile: 128 of them are 8 MiB
    const large = (name: string, length: number) => {
      const { profile } = user(name);
      const fill = (note: string[]) => ({ profile: { ...profile, note } });
      const notes = Array.from({ length: 34 }, () => "x".repeat(1_890));
      const rest = length - JSON.stringify(fill([...notes, ""]).profile).length;
      return fill([...notes, "x".repeat(rest)]);
    };
    const users = Array.from({ length: 128 }, (_, i) => large(`large${i}`, longest - (i ? 0 : 1)));
    const named = users.map(({ profile: { login } }) => user(login.split("@")[0]!));
    await startWith({}, { subdomain: "demo", name: "Demo", users });
    const dryRun = (more: object[] = []) => post(DRY_RUN, fileOf({ users: [...named, ...more] }));
    expect((await dryRun()).status).toBe(200);
    const first = users[0]!.profile;
    const [stored] = (await api(`/users?q=${first.login}`)).body;
    const grow = (length: number) =>
      api(`/users/${stored.id}`, { method: "PUT", body: { profile: large("large0", length).profile } });
    expect((await grow(longest)).status).toBe(200);
    expect((await dryRun()).status).toBe(200);
    expect((await post("/users", user("small"))).status).toBe(200);
    expect(causesOf(await dryRun([user("small")]))).toEqual([
      "orgs[0].users: have more than 8388608 bytes of profiles in the org; import them in several files",
    ]);
  });

  it("S9 gives at most 1 MiB", async () => {
    await startWith();
    const notes = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`note${i}`, "x".repeat(2_000)]));
    const users = Array.from({ length: 10 }, (_, i) => ({ profile: { ...user(`big${i}`).profile, ...notes } }));
    expect((await post(IMPORT, fileOf({ users }))).status).toBe(200);
    expect((await api(EXPORT)).status).toBe(200);
    const others = users.map(({ profile }) => ({ profile: { ...profile, login: `x${profile.login}` } }));
    expect((await post(IMPORT, fileOf({ users: others }))).status).toBe(200);
    expect(causesOf(await api(EXPORT))[0]).toMatch(/^The file would have \d{7} bytes or more; at most 1048576/);
  });

  it("takes imports of the same org one after the other, and loses no change", async () => {
    await startWith();
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) => post(IMPORT, fileOf({ zones: [zone(`At once ${i}`)] }))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await countOf("/zones")).toBe(7);
  });

  it("ends with the client that leaves, all or nothing", async () => {
    await startWith();
    const text = JSON.stringify(fileOf({ zones: [zone("Late")], trustedOrigins: [trustedOrigin("Late")] }));
    const token = await insertApiToken(data.options, "demo");
    const request = https.request({
      host: "127.0.0.1",
      port: server.port,
      path: `/api/v1${IMPORT}`,
      method: "POST",
      rejectUnauthorized: false,
      agent: false,
      headers: {
        Host: `demo.localhost:${server.port}`,
        Authorization: `SVC ${token}`,
        "Content-Type": "application/json",
        "Content-Length": String(Buffer.byteLength(text)),
      },
    });
    request.on("error", () => undefined);
    request.end(text, () => request.destroy());
    await new Promise((resolve) => request.once("close", resolve));
    // whether it was in time or not, the next one finds all or nothing, and the turn is free
    const { body } = await post(DRY_RUN, text);
    expect([body.counts.zones.created, body.counts.trustedOrigins.created]).toEqual(
      body.counts.zones.created === 1 ? [1, 1] : [0, 0],
    );
  });
});
