import { insertApiToken, createClient, startApi, type ApiClient } from "../support/api.js";
import { rule, samlIdp, user, zone } from "../support/documents.js";
import { readEventTypes } from "../support/event-types.js";
import type { Answer, TestServer } from "../support/server.js";
import { describeStores, type TestDatabase } from "../support/stores.js";

const inOffice = {
  name: "office",
  conditions: { network: { connection: "ZONE", include: ["Office"] } },
  actions: { idp: { providers: [{ idp: "Beta" }] } },
};

const ORG = {
  subdomain: "demo",
  name: "Demo",
  idps: [samlIdp("Alpha"), samlIdp("Beta")],
  zones: [
    zone("Office"),
    { name: "Home", gateways: [{ type: "RANGE", value: "203.0.113.1-203.0.113.9" }] },
    { name: "Nowhere" },
  ],
  rules: [rule("alpha", "Alpha"), inOffice],
};

/** Records by their names. */
type Named = Record<string, Record<string, unknown> & { id: string }>;

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let api: ApiClient["api"];
  let policy: string;
  let tests: string;
  let idps: Named;
  let zones: Named;
  let rules: Named;

  beforeEach(async () => {
    data = await database();
    ({ server, api } = await startApi(data, {}, { orgs: [ORG, { subdomain: "other", name: "Other" }] }));
    policy = `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}`;
    tests = `${policy}/routingTests`;
    [idps, zones, rules] = (await Promise.all(["/idps", "/zones", `${policy}/rules`].map(list))) as [
      Named,
      Named,
      Named,
    ];
  });
  afterEach(() => server.close());

  async function list(path: string): Promise<Named> {
    const { body } = await api(`${path}?limit=200`);
    return Object.fromEntries((body as Named[string][]).map((record) => [record["name"], record]));
  }

  const provider = (name: string) => ({ type: "SAML2", id: idps[name]!.id });
  const add = (name: string, values: object): Promise<Answer> =>
    api(tests, { method: "POST", body: { name, login: "joe@alpha.example", ...values } });
  const toAlpha = () => add("alpha", { expected: { provider: provider("Alpha"), rule: rules["alpha"]!.id } });
  const toBeta = () =>
    add("beta", { login: "ann", zone: zones["Office"]!.id, expected: { provider: provider("Beta") } });
  const causesOf = ({ body }: Answer): string[] =>
    body.errorCauses.map((cause: { errorSummary: string }) => cause.errorSummary);
  const results = async (): Promise<string[]> =>
    (await api(`${tests}/results`)).body.results.map(
      ({ test, passed }: { test: { name: string }; passed: boolean }) => `${test.name} ${passed}`,
    );

  test("a routing test is created, read, listed, replaced and deleted, with events and entity tags", async () => {
    const made = await toAlpha();
    expect(made.status).toBe(200);
    const self = `https://localhost:${server.port}/api/v1${tests}/${made.body.id}`;
    expect(made.body).toEqual({
      id: expect.stringMatching(/^\w{20}$/),
      name: "alpha",
      login: "joe@alpha.example",
      expected: { provider: provider("Alpha"), rule: rules["alpha"]!.id },
      created: expect.any(String),
      lastUpdated: made.body.created,
      _links: { self: { href: self } },
    });
    const values = {
      name: "beta",
      login: "ann",
      clientIp: "192.0.2.1",
      userAgent: "curl/8",
      expected: { provider: { type: "SVC" } },
    };
    const replaced = await api(self, { method: "PUT", body: values, headers: { "If-Match": made.headers.etag! } });
    expect([replaced.status, replaced.body]).toEqual([
      200,
      expect.objectContaining({ ...values, created: made.body.created }),
    ]);
    expect((await api(self, { method: "PUT", body: values, headers: { "If-Match": made.headers.etag! } })).status).toBe(
      412,
    );
    await toAlpha();
    const pages = await api(`${tests}?limit=1`);
    expect(pages.body).toMatchObject([{ name: "alpha" }]);
    const [, next = ""] = /<([^>]+)>; rel="next"/.exec(String(pages.headers["link"])) ?? [];
    expect((await api(next)).body).toMatchObject([values]);
    expect((await api(self)).body).toEqual(replaced.body);
    expect((await api(self, { method: "DELETE" })).status).toBe(204);
    expect((await api(self)).status).toBe(404);
    expect(await readEventTypes(data, "policy.test")).toEqual([
      "policy.test.create",
      "policy.test.update",
      "policy.test.create",
      "policy.test.delete",
    ]);
    const [event] = (await api('/logs?filter=eventType%20eq%20"policy.test.delete"'.replaceAll('"', "%22"))).body;
    expect(event.target).toMatchObject([
      { type: "RoutingTest", alternateId: "beta" },
      { type: "Policy", id: policy.slice(-20) },
    ]);
    expect((await api(policy)).body._links.routingTests.href).toBe(`https://localhost:${server.port}/api/v1${tests}`);
  });

  const ID = "0".repeat(20);

  test.each([
    [{ expected: {} }, "expected: must have provider, rule or both"],
    [{}, "expected: is required"],
    [{ login: "", expected: { rule: ID } }, "login: must not be empty"],
    [{ clientIp: "fe80::1%eth0", expected: { rule: ID } }, "clientIp: must be an IPv4 or IPv6 address"],
    [{ clientIp: "::1", zone: ID, expected: { rule: ID } }, "zone: goes without clientIp"],
    [{ zone: ID, expected: { provider: { type: "SVC" } } }, `zone: no zone has the id "${ID}"`],
    [{ expected: { rule: ID } }, `expected.rule: no rule has the id "${ID}"`],
    [
      { expected: { provider: { type: "OIDC", id: ID } } },
      `expected.provider.id: no identity provider has the id "${ID}"`,
    ],
    [{ expected: { provider: { type: "OIDC" } } }, "expected.provider.id: is required, unless the type is SVC"],
  ])("refuses %j", async (values, cause) => {
    const answer = await add("wrong", values);
    expect([answer.status, causesOf(answer)[0]]).toEqual([400, expect.stringContaining(cause)]);
    expect((await api(tests)).body).toEqual([]);
  });

  test("the type of a provider must be its own, and a name is there once", async () => {
    const { id } = provider("Alpha");
    expect(causesOf(await add("x", { expected: { provider: { type: "OIDC", id } } }))).toEqual([
      "expected.provider.type: must be SAML2, the type of this identity provider",
    ]);
    await toAlpha();
    expect(causesOf(await toAlpha())).toEqual(["name: another routing test has it already"]);
  });

  test("results say of each test what it expects and what the rules decide", async () => {
    await toAlpha();
    await toBeta();
    await add("by address", { login: "ann", clientIp: "192.0.2.200", expected: { rule: rules["office"]!.id } });
    await add("elsewhere", { login: "ann", expected: { provider: { type: "SVC" } } });
    await add("nowhere", { zone: zones["Nowhere"]!.id, expected: { provider: { type: "SVC" } } });
    await add("other rule", { expected: { provider: provider("Alpha"), rule: rules["office"]!.id } });
    await add("wrong", { expected: { provider: { type: "SVC" } } });
    const { body } = await api(`${tests}/results`);
    expect([body.passed, body.failed]).toEqual([4, 3]);
    expect(body.results.splice(5, 1)).toMatchObject([{ test: { name: "other rule" }, passed: false }]);
    expect(body.results.map((result: { test: object }) => ({ ...result, test: result.test })).slice(4)).toEqual([
      {
        test: { id: expect.any(String), name: "nowhere" },
        passed: false,
        expected: { provider: { type: "SVC" } },
        actual: null,
      },
      {
        test: { id: expect.any(String), name: "wrong" },
        passed: false,
        expected: { provider: { type: "SVC" } },
        actual: {
          rule: { id: rules["alpha"]!.id, name: "alpha" },
          providers: [{ ...provider("Alpha"), name: "Alpha" }],
        },
      },
    ]);
    expect(body.results.slice(0, 4).map(({ passed }: { passed: boolean }) => passed)).toEqual([true, true, true, true]);
  });

  test("the user agent of a test decides conditions on the platform", async () => {
    await api(`${policy}/rules`, {
      method: "POST",
      body: {
        name: "phones",
        priority: 1,
        conditions: { platform: { include: [{ type: "MOBILE" }] } },
        actions: { idp: { providers: [provider("Beta")] } },
      },
    });
    const userAgent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
    await add("phone", { userAgent, expected: { provider: provider("Beta") } });
    await add("none", { expected: { provider: provider("Alpha") } });
    expect(await results()).toEqual(["none true", "phone true"]);
  });

  test("a test that comes to a condition on an attribute needs the scope users.read", async () => {
    const condition = {
      type: "ATTRIBUTE",
      attribute: "department",
      patterns: [{ matchType: "EQUALS", value: "Sales" }],
    };
    const body = {
      name: "sales",
      priority: 1,
      conditions: { userIdentifier: condition },
      actions: { idp: { providers: [provider("Beta")] } },
    };
    expect((await api(`${policy}/rules`, { method: "POST", body })).status).toBe(200);
    const { profile } = user("joe@alpha.example");
    await api("/users", { method: "POST", body: { profile: { ...profile, department: "Sales" } } });
    await add("sales", { expected: { provider: provider("Beta") } });
    expect(await results()).toEqual(["sales true"]);
    const scopes = ["policies.manage"];
    const keeper = createClient(server, "demo", await insertApiToken(data.options, "demo", scopes)).api;
    const cause =
      "A rule has a condition on an attribute; a routing test that comes to it needs the scope svc.users.read, which the credentials lack.";
    const answer = await keeper(`${tests}/results`);
    expect([answer.status, causesOf(answer)]).toEqual([403, [cause]]);
  });

  test("routing tests are for callers who may read or manage policies of this org", async () => {
    const { body } = await toAlpha();
    const path = `${tests}/${body.id}`;
    const stranger = createClient(server, "other", await insertApiToken(data.options, "other")).api;
    const zoneKeeper = createClient(server, "demo", await insertApiToken(data.options, "demo", ["zones.manage"])).api;
    const reader = createClient(server, "demo", await insertApiToken(data.options, "demo", ["policies.read"])).api;
    for (const each of [tests, path, `${tests}/results`]) {
      expect([(await stranger(each)).status, (await zoneKeeper(each)).status, (await reader(each)).status]).toEqual([
        404, 403, 200,
      ]);
    }
    expect((await reader(path, { method: "DELETE" })).status).toBe(403);
  });
});
