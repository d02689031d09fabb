import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { rule, samlIdp, user, zone } from "../support/documents.js";
import { readEventTypes } from "../support/event-types.js";
import type { Answer } from "../support/server.js";

const inOffice = {
  name: "office",
  conditions: { network: { connection: "ZONE", include: ["Office"] } },
  actions: { idp: { providers: [{ idp: "Beta" }] } },
};

const ORG = {
  idps: [samlIdp("Alpha"), samlIdp("Beta")],
  zones: [
    zone("Office"),
    { name: "Home", gateways: [{ type: "RANGE", value: "203.0.113.1-203.0.113.9" }] },
    { name: "Nowhere" },
  ],
  rules: [rule("alpha", "Alpha"), inOffice],
};

const DEFAULT = { actions: { idp: { providers: [{ type: "SVC" }] } } };

/** Records by their names. */
type Named = Record<string, Record<string, unknown> & { id: string }>;

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let policy: string;
  let tests: string;
  let idps: Named;
  let zones: Named;
  let rules: Named;

  beforeEach(async () => {
    org = await openOrg(() => ORG);
    ({ api } = org);
    policy = `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}`;
    tests = `${policy}/routingTests`;
    [idps, zones, rules] = (await Promise.all(["/idps", "/zones", `${policy}/rules`].map(list))) as [
      Named,
      Named,
      Named,
    ];
  });

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
  const edit = async (path: string, change: object, query = ""): Promise<Answer> => {
    const { body } = await api(path);
    return api(`${path}${query}`, { method: "PUT", body: { ...body, ...change } });
  };
  const results = async (): Promise<string[]> =>
    (await api(`${tests}/results`)).body.results.map(
      ({ test, passed }: { test: { name: string }; passed: boolean }) => `${test.name} ${passed}`,
    );

  const OFFER = "To make the change nevertheless, send allowFailingTests=true.";
  const REFUSED = { status: 409, body: { errorCode: "E0009102" } };

  test("a routing test is created, read, listed, replaced and deleted, with events and entity tags", async () => {
    const made = await toAlpha();
    expect(made.status).toBe(200);
    const self = `${org.origin}/api/v1${tests}/${made.body.id}`;
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
    expect(await readEventTypes(org, "policy.test")).toEqual([
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
    expect((await api(policy)).body._links.routingTests.href).toBe(`${org.origin}/api/v1${tests}`);
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

  describe("a change after which a test fails that passed before", () => {
    beforeEach(async () => {
      await toAlpha();
      await toBeta();
    });

    const ALPHA = (got: string) => `"alpha": joe@alpha.example: expected "Alpha" by the rule "alpha", got ${got}`;
    const BETA = (got: string) => `"beta": ann from "Office": expected "Beta", got ${got}`;
    const ITSELF = 'the org itself (rule "Default Rule")';

    const CHANGES: [name: string, change: (query: string) => Promise<Answer>, causes: string[]][] = [
      [
        "creates a rule",
        (query) =>
          api(`${policy}/rules?allowShadowing=true${query}`, {
            method: "POST",
            body: { name: "all", priority: 1, ...DEFAULT },
          }),
        [ALPHA('the org itself (rule "all")'), BETA('the org itself (rule "all")')],
      ],
      [
        "replaces a rule",
        (query) => edit(`${policy}/rules/${rules["alpha"]!.id}`, DEFAULT, `?x${query}`),
        [ALPHA('the org itself (rule "alpha")')],
      ],
      [
        "deletes a rule",
        (query) => api(`${policy}/rules/${rules["office"]!.id}?x${query}`, { method: "DELETE" }),
        [BETA(ITSELF)],
      ],
      [
        "deletes a rule that a test expects",
        (query) => api(`${policy}/rules/${rules["alpha"]!.id}?x${query}`, { method: "DELETE" }),
        [`"alpha": joe@alpha.example: expected "Alpha" by the rule "ID", got ${ITSELF}`],
      ],
      [
        "switches a rule off",
        (query) => api(`${policy}/rules/${rules["alpha"]!.id}/lifecycle/deactivate?x${query}`, { method: "POST" }),
        [ALPHA(ITSELF)],
      ],
      [
        "switches a provider off",
        (query) => api(`/idps/${idps["Alpha"]!.id}/lifecycle/deactivate?x${query}`, { method: "POST" }),
        [ALPHA(ITSELF)],
      ],
      [
        "switches a zone off",
        (query) => api(`/zones/${zones["Office"]!.id}/lifecycle/deactivate?x${query}`, { method: "POST" }),
        [BETA(ITSELF)],
      ],
      [
        "takes the gateways from a zone",
        (query) => edit(`/zones/${zones["Office"]!.id}`, { gateways: [] }, `?x${query}`),
        ['"beta": ann from "Office": the zone is gone or has no gateway'],
      ],
    ];

    test.each(CHANGES)("is refused: one that %s", async (_, change, causes) => {
      const before = await Promise.all([list(`${policy}/rules`), list("/idps"), list("/zones")]);
      const refused = await change("");
      expect(refused).toMatchObject(REFUSED);
      const told = causes.map((cause) => cause.replace("ID", rules["alpha"]!.id));
      expect(causesOf(refused)).toEqual([...told, OFFER]);
      expect(await Promise.all([list(`${policy}/rules`), list("/idps"), list("/zones")])).toEqual(before);
      expect(await results()).toEqual(["alpha true", "beta true"]);
    });

    test.each(CHANGES)("is made with allowFailingTests=true: one that %s", async (_, change, causes) => {
      expect([200, 204]).toContain((await change("&allowFailingTests=true")).status);
      expect((await results()).filter((text) => text.endsWith("false"))).toHaveLength(causes.length);
    });

    test("has one of two values of the parameter", async () => {
      const answer = await api(`/zones/${zones["Office"]!.id}?allowFailingTests=1`, { method: "DELETE" });
      expect([answer.status, causesOf(answer)]).toEqual([400, ['allowFailingTests: must be true or false, not "1"']]);
    });

    test("a provider, zone or rule that only a test names can go if that is allowed; the test stays and fails", async () => {
      await add("gone", { login: "x", zone: zones["Home"]!.id, expected: { provider: { type: "SVC" } } });
      const path = `/zones/${zones["Home"]!.id}`;
      const refused = await api(path, { method: "DELETE" });
      expect([refused.status, causesOf(refused)[0]]).toEqual([
        409,
        `"gone": x from "${zones["Home"]!.id}": the zone is gone or has no gateway`,
      ]);
      expect((await api(`${path}?allowFailingTests=true`, { method: "DELETE" })).status).toBe(204);
      expect(await results()).toEqual(["alpha true", "beta true", "gone false"]);
      expect((await api(`${tests}?limit=3`)).body[2].zone).toBe(zones["Home"]!.id);
    });

    test("a test that failed before blocks nothing, and one that passes again does", async () => {
      const off = `/idps/${idps["Alpha"]!.id}/lifecycle`;
      await api(`${off}/deactivate?allowFailingTests=true`, { method: "POST" });
      expect((await edit(`${policy}/rules/${rules["alpha"]!.id}`, DEFAULT)).status).toBe(200);
      expect((await api(`${off}/activate`, { method: "POST" })).status).toBe(200);
      const back = { actions: { idp: { providers: [provider("Alpha")] } } };
      expect((await edit(`${policy}/rules/${rules["alpha"]!.id}`, back)).status).toBe(200);
      expect(await results()).toEqual(["alpha true", "beta true"]);
      expect(await api(`${off}/deactivate`, { method: "POST" })).toMatchObject(REFUSED);
    });

    test("names twenty tests and counts the others", async () => {
      for (let i = 0; i < 20; i++) await add(`more ${i}`, { expected: { provider: provider("Alpha") } });
      const deactivate = () => api(`/idps/${idps["Alpha"]!.id}/lifecycle/deactivate`, { method: "POST" });
      const many = causesOf(await deactivate());
      expect([many.length, many.slice(-2)]).toEqual([22, ["1 more tests fail.", OFFER]]);
      await api(`${tests}/${(await list(tests))["more 3"]!.id}`, { method: "DELETE" });
      const all = causesOf(await deactivate());
      expect([all.length, all.at(-2)]).toEqual([21, expect.stringContaining("more 9")]);
    });

    test("a restore of a revision is refused too, and a rehearsal of one", async () => {
      const { body } = await api(`${policy}/revisions`);
      const first = body.at(-1).revision;
      const moved = {
        userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "moved.example" }] },
      };
      await edit(`${policy}/rules/${rules["alpha"]!.id}`, { conditions: moved }, "?allowFailingTests=true");
      await add("moved", { login: "joe@moved.example", expected: { provider: provider("Alpha") } });
      const path = `${policy}/revisions/${first}/restore`;
      for (const query of ["?dryRun=true", ""]) {
        const refused = await api(`${path}${query}`, { method: "POST", body: {} });
        expect(refused).toMatchObject(REFUSED);
        expect(causesOf(refused)).toEqual([`"moved": joe@moved.example: expected "Alpha", got ${ITSELF}`, OFFER]);
      }
      expect((await api(`${path}?allowFailingTests=true`, { method: "POST", body: {} })).status).toBe(200);
      expect(await results()).toEqual(["alpha true", "beta true", "moved false"]);
    });

    test("two changes at the same time are judged one after the other", async () => {
      const [a, b] = await Promise.all([
        api(`/idps/${idps["Alpha"]!.id}/lifecycle/deactivate`, { method: "POST" }),
        edit(`${policy}/rules/${rules["office"]!.id}`, { name: "renamed" }),
      ]);
      expect([a.status, b.status]).toEqual([409, 200]);
      expect(await results()).toEqual(["alpha true", "beta true"]);
    });

    test("trusted origins, users and tests themselves change without a question", async () => {
      await api(`/idps/${idps["Alpha"]!.id}/lifecycle/deactivate?allowFailingTests=true`, { method: "POST" });
      const [alpha] = (await api(tests)).body;
      expect((await edit(`${tests}/${alpha.id}`, { login: "other" })).status).toBe(200);
      expect((await api("/users", { method: "POST", body: user("joe") })).status).toBe(200);
    });
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
    const scopes = ["policies.manage", "zones.manage"];
    const keeper = await org.as(scopes);
    const cause =
      "A rule has a condition on an attribute; a routing test that comes to it needs the scope svc.users.read, which the credentials lack.";
    const off = `/zones/${zones["Office"]!.id}/lifecycle/deactivate`;
    for (const answer of [await keeper(`${tests}/results`), await keeper(off, { method: "POST" })]) {
      expect([answer.status, causesOf(answer)]).toEqual([403, [cause]]);
    }
    expect((await keeper(`${off}?allowFailingTests=true`, { method: "POST" })).status).toBe(200);
  });

  test("S9 a change runs a thousand tests with thousands of rules, and there are no more", async () => {
    const suffixes = Array.from({ length: 2_000 }, (_, i) => rule(`r${i}`, i % 2 === 0 ? "Alpha" : "Beta"));
    const routingTests = Array.from({ length: 999 }, (_, i) => ({
      ...{ name: `test ${i}`, login: `joe@r${2 * i}.example`, zone: "Nowhere" },
      expected: { provider: { idp: "Alpha" } },
    }));
    await org.change({ ...ORG, zones: [zone("Nowhere")], rules: suffixes, routingTests });
    expect((await add("the last", { expected: { provider: { type: "SVC" } } })).status).toBe(200);
    expect(causesOf(await add("too many", { expected: { provider: { type: "SVC" } } }))[0]).toContain(
      "the org has 1000 routing tests and would have 1001; at most 1000 are allowed",
    );
    const { id } = provider("Alpha");
    expect((await edit(`/idps/${id}`, { name: "Renamed" })).status).toBe(200);
    const refused = await api(`/idps/${id}/lifecycle/deactivate`, { method: "POST" });
    expect([refused.status, causesOf(refused).slice(-2)]).toEqual([409, ["979 more tests fail.", OFFER]]);
    const { body } = await api(`${tests}/results`);
    expect([body.passed, body.failed, body.results.length]).toEqual([999, 1, 1_000]);
  });

  test("routing tests are for callers who may read or manage policies of this org", async () => {
    const { body } = await toAlpha();
    const path = `${tests}/${body.id}`;
    const stranger = (await openOrg()).api;
    const zoneKeeper = await org.as(["zones.manage"]);
    const reader = await org.as(["policies.read"]);
    for (const each of [tests, path, `${tests}/results`]) {
      expect([(await stranger(each)).status, (await zoneKeeper(each)).status, (await reader(each)).status]).toEqual([
        404, 403, 200,
      ]);
    }
    expect((await reader(path, { method: "DELETE" })).status).toBe(403);
  });
});
