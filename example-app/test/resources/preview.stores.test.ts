import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { samlIdp, user, zone } from "../support/documents.js";
import { readEventTypes } from "../support/event-types.js";
import type { Answer } from "../support/server.js";

const suffix = (...values: string[]) => ({
  userIdentifier: { type: "IDENTIFIER", patterns: values.map((value) => ({ matchType: "SUFFIX", value })) },
});
const attribute = (value: string) => ({
  userIdentifier: { type: "ATTRIBUTE", attribute: "department", patterns: [{ matchType: "EQUALS", value }] },
});
const rule = (name: string, idp: string, conditions: object, status = "ACTIVE") => ({
  name,
  status,
  conditions,
  actions: { idp: { providers: [{ idp }] } },
});

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";

const ORG = {
  idps: [samlIdp("Alpha"), samlIdp("Beta"), { ...samlIdp("Closed"), status: "INACTIVE" }, samlIdp("named.example")],
  zones: [zone("Office")],
  users: [{ profile: { ...user("sam@sales.example").profile, department: "sales" } }],
  rules: [
    rule("off", "Beta", {}, "INACTIVE"),
    rule("closed", "Closed", {}),
    rule("phones", "Beta", { ...suffix("a.example"), platform: { include: [{ type: "MOBILE" }] } }),
    rule("office", "Beta", { ...suffix("a.example"), network: { connection: "ZONE", include: ["Office"] } }),
    rule("sales", "Beta", attribute("sales")),
    rule("a", "Alpha", suffix("a.example")),
    rule("a again", "Beta", suffix("a.example", "b.example")),
  ],
};

const LOGINS = [
  { login: "x" },
  { login: "joe@a.example" },
  { login: "JOE@A.EXAMPLE", userAgent: IPHONE },
  { login: "joe@a.example", clientIp: "192.0.2.7" },
  { login: "joe@b.example" },
  { login: "sam@sales.example" },
  { login: "joe@named.example" },
  { login: "joe@elsewhere.example" },
];

interface Outcome {
  rule: { id?: string; name: string };
  providers: { type: string; id?: string; name?: string }[];
}

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let policy: string;
  let ids: Record<string, string>;

  beforeEach(async () => {
    org = await openOrg(() => ORG);
    ({ api } = org);
    policy = `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}`;
    const records = [
      ...(await api(`${policy}/rules`)).body,
      ...(await api("/idps")).body,
      ...(await api("/zones")).body,
    ];
    ids = Object.fromEntries(records.map(({ name, id }: { name: string; id: string }) => [name, id]));
  });

  const preview = (body: object, client = api): Promise<Answer> =>
    client(`${policy}/preview`, { method: "POST", body });
  const readRule = async (name: string) => (await api(`${policy}/rules/${ids[name]!}`)).body;
  const to = (...names: string[]) => ({
    idp: { providers: names.map((name) => (name === "SVC" ? { type: "SVC" } : { type: "SAML2", id: ids[name] })) },
  });

  /** What a trace says now. */
  async function ask({ login, clientIp, userAgent }: (typeof LOGINS)[number] & Record<string, string>) {
    const query = new URLSearchParams({
      resource: `svc:acct:${login}`,
      ...(clientIp !== undefined && { clientIp }),
      ...(userAgent !== undefined && { userAgent }),
    });
    const { body } = await api(`${policy}/trace?${query.toString()}`);
    const providers = body.links.map(({ properties }: { properties: Record<string, string> }) => {
      const id = Object.entries(properties).find(([name]) => name.endsWith("id"))?.[1];
      return id === undefined ? { type: "SVC" } : { type: "SAML2", id, name: expect.any(String) };
    });
    return { rule: { id: body.match.id, name: body.match.name }, providers };
  }

  test("says what the change then does, and what was before", async () => {
    const make = (values: object) => ({ method: "POST", path: `${policy}/rules`, body: { rule: values }, values });
    const put = async (name: string, changes: object) => {
      const { id, ...values } = { ...(await readRule(name)), ...changes };
      return { method: "PUT", path: `${policy}/rules/${id}`, body: { ruleId: id, rule: values }, values };
    };
    const remove = (name: string) => ({
      method: "DELETE",
      path: `${policy}/rules/${ids[name]!}`,
      body: { ruleId: ids[name] },
      values: undefined,
    });
    const dynamic = {
      idp: {
        idpSelectionType: "DYNAMIC",
        matchCriteria: [{ propertyName: "name", providerExpression: "login.identifier.substringAfter('@')" }],
      },
    };
    const changes = [
      () => put("a", { priority: 7 }),
      () => put("a", { priority: 6 }),
      () => make({ name: "last", actions: to("Alpha") }),
      () =>
        make({ name: "first", priority: 1, conditions: suffix("b.example", "elsewhere.example"), actions: to("SVC") }),
      () => make({ name: "middle", priority: 7, conditions: suffix("a.example"), actions: to("Beta") }),
      () => make({ name: "by name", priority: 2, actions: dynamic }),
      () => make({ name: "sleeping", priority: 1, status: "INACTIVE", actions: to("SVC") }),
      () => make({ name: "attribute", priority: 1, conditions: attribute("sales"), actions: to("Alpha", "Beta") }),
      () => put("a", { status: "INACTIVE" }),
      () => put("off", { status: "ACTIVE" }),
      () => put("off", { priority: 5 }),
      () => put("off", { priority: 1_000 }),
      () => put("a", { status: "ACTIVE" }),
      () => put("a again", { priority: 1 }),
      () => put("a again", { priority: 9 }),
      () => put("a again", { conditions: suffix("b.example"), priority: 2 }),
      () => put("a", { actions: to("Closed") }),
      () => put("phones", { priority: 12 }),
      () => put("Default Rule", { actions: to("Beta") }),
      () => put("Default Rule", { actions: to("Closed") }),
      () => remove("a again"),
      () => remove("off"),
      () => remove("sales"),
      () => remove("office"),
    ];
    const seen = new Set<string>();
    for (const [i, change] of changes.entries()) {
      const { method, path, body, values } = await change();
      const before = await Promise.all(LOGINS.map(ask));
      const answer = await preview({ ...body, logins: LOGINS });
      expect([i, answer.status, answer.body.errorCauses]).toEqual([i, 200, undefined]);
      const results = answer.body.results as { login: string; changed: boolean; before: Outcome; after: Outcome }[];
      expect(results.map(({ login }) => login)).toEqual(LOGINS.map(({ login }) => login));
      expect([i, results.map((result) => result.before)]).toEqual([i, before]);

      const written = await api(`${path}?allowShadowing=true`, { method, body: values });
      expect([i, written.status]).toEqual([i, method === "DELETE" ? 204 : 200]);
      const after = await Promise.all(LOGINS.map(ask));
      const expected = after.map(({ rule: { id, name }, providers }) => ({
        rule: method === "POST" && id === written.body.id ? { name } : { id, name },
        providers,
      }));
      expect([i, results.map((result) => result.after)]).toEqual([i, expected]);
      for (const result of results) {
        const isSame = JSON.stringify(result.before.providers) === JSON.stringify(result.after.providers);
        expect(result.changed).toBe(!isSame);
        seen.add(`${method} ${result.changed}`);
      }
    }
    expect([...seen].sort()).toEqual([
      "DELETE false",
      "DELETE true",
      "POST false",
      "POST true",
      "PUT false",
      "PUT true",
    ]);
  });

  test("asks for a login of each rule that can have one, also when an edit takes all of another rule", async () => {
    const a = { ...(await readRule("a")), conditions: suffix("a.example", "b.example"), priority: 1 };
    const shadowing = await preview({ ruleId: ids["a"], rule: a, samples: true });
    expect(shadowing).toMatchObject({ status: 200, body: { results: [] } });
    const say = ({
      login,
      changed,
      before,
      after,
    }: {
      login: string;
      changed: boolean;
      before: Outcome;
      after: Outcome;
    }) => `${login}: ${before.rule.name}${changed ? ` → ${after.rule.name}` : ""}`;
    expect(shadowing.body.samples.map(say)).toEqual([
      "joe@a.example: phones → a",
      "joe@a.example: office → a",
      "joe@a.example: a",
      "joe@b.example: a again → a",
      "joe@a.example: a", // of the rule itself as it would be
      "joe@b.example: a again → a",
      "joe@elsewhere.example: Default Rule",
    ]);
    expect(shadowing.body.samples[0].platform.type).toBe("MOBILE");
    expect(shadowing.body.samples[1].clientIp).toBe("192.0.2.0");

    const fallback = await preview({ ruleId: ids["Default Rule"], rule: { actions: to("Beta") }, samples: true });
    expect(fallback.body.samples.map(say).at(-1)).toBe("joe@elsewhere.example: Default Rule → Default Rule");
    const byName = {
      idpSelectionType: "DYNAMIC",
      matchCriteria: [{ propertyName: "name", providerExpression: "login.identifier.substringAfter('@')" }],
    };
    const added = await preview({ rule: { name: "by name", actions: { idp: byName } }, samples: true });
    expect(added.body.samples.map(say).at(-2)).toBe("joe@Alpha: Default Rule → by name");
    expect((await preview({ ruleId: ids["a"], samples: false })).status).toBe(400);
  });

  test("changes nothing, and records no change", async () => {
    const read = async () => ({
      rules: (await api(`${policy}/rules`)).body,
      revision: await org.store.currentRevision(org.id),
    });
    const before = await read();
    const logins = [{ login: "joe@a.example" }];
    for (const body of [
      { rule: { name: "New", priority: 1, actions: to("Beta") }, logins },
      { ruleId: ids["a"], rule: { name: "Renamed", priority: 1, actions: to("Beta") }, logins },
      { ruleId: ids["a"], logins },
    ]) {
      expect((await preview(body)).body.results).toMatchObject([{ changed: true }]);
    }
    expect(await read()).toEqual(before);
    expect(await readEventTypes(org, "policy.")).toEqual([]);
  });

  test("says that there is no such policy before it reads the body", async () => {
    const answer = await api(`/policies/${"0".repeat(20)}/preview`, { method: "POST", body: {} });
    expect([answer.status, answer.body.errorCode]).toEqual([404, "E0000007"]);
  });

  test("finds the faults that the change would have, below `rule`", async () => {
    const logins = [{ login: "joe@a.example" }];
    const good = { name: "New", actions: to("Alpha") };
    const unknown = "0".repeat(20);
    for (const [body, status, errorCode, cause] of [
      [{ logins }, 400, "E0000001", "rule: is required, unless ruleId names the rule to delete"],
      [{ rule: good }, 400, "E0000001", "logins: is required"],
      [{ rule: good, logins: [{}] }, 400, "E0000001", "logins[0].login: is required"],
      [{ rule: good, logins: [{ login: "a\u0000" }] }, 400, "E0000001", "logins[0].login: must not have control"],
      [{ rule: good, logins: [{ login: "a", clientIp: "::1%lo" }] }, 400, "E0000001", "logins[0].clientIp: must be an"],
      [{ rule: { actions: good.actions }, logins }, 400, "E0000001", "rule.name: is required"],
      [{ rule: { ...good, priority: 0 }, logins }, 400, "E0000001", "rule.priority: must be an integer, 1 or more"],
      [{ rule: { ...good, name: "Default Rule" }, logins }, 400, "E0000001", "rule.name: "],
      [
        { rule: { ...good, actions: { idp: { providers: [{ type: "SAML2", id: unknown }] } } }, logins },
        400,
        "E0000001",
        "actions.idp.providers[0].id: no identity provider has the id",
      ],
      [{ ruleId: "x", rule: good, logins }, 400, "E0000001", "ruleId: must be the id of a rule"],
      [{ ruleId: unknown, rule: good, logins }, 404, "E0000007", undefined],
      [{ ruleId: ids["Default Rule"], logins }, 403, "E0000006", "The default rule can't be deleted"],
      [
        { ruleId: ids["Default Rule"], rule: { ...good, priority: 1 }, logins },
        403,
        "E0000077",
        "name: of the default",
      ],
    ] as const) {
      const answer = await preview(body);
      expect([body, answer.status, answer.body.errorCode]).toEqual([body, status, errorCode]);
      if (cause !== undefined) expect(answer.body.errorCauses[0].errorSummary).toContain(cause);
    }
    expect(await preview({ ruleId: null, rule: { ...good, id: null, other: 1 }, logins })).toMatchObject({
      status: 200,
    });
  });

  test.each([
    ["logins", (count: number) => ({ logins: Array.from({ length: count }, (_, i) => ({ login: `joe${i}` })) }), 20],
    ["characters of a login", (count: number) => ({ logins: [{ login: "x".repeat(count) }] }), 255],
    [
      "characters of a user agent",
      (count: number) => ({ logins: [{ login: "a", userAgent: "x".repeat(count) }] }),
      1_024,
    ],
  ])("takes a limited number of %s", async (_what, build, limit) => {
    const change = { ruleId: ids["a"] };
    for (const [count, status] of [
      [limit - 1, 200],
      [limit, 200],
      [limit + 1, 400],
    ] as const) {
      expect([count, (await preview({ ...change, ...build(count) })).status]).toEqual([count, status]);
    }
    expect((await preview({ ...change, logins: [] })).body.errorCauses).toEqual([
      { errorSummary: "logins: must not be empty" },
    ]);
  });

  test("needs the scopes of the change", async () => {
    const logins = [{ login: "sam@sales.example" }];
    const plain = { ruleId: ids["a"], logins: [{ login: "joe@a.example", userAgent: IPHONE }] };
    expect(await preview(plain, await org.as(["policies.read"]))).toMatchObject({ status: 403 });
    const manager = await org.as(["policies.manage"]);
    expect(await preview(plain, manager)).toMatchObject({ status: 200 });
    const curious = { rule: { name: "New", conditions: attribute("sales"), actions: to("Alpha") }, logins };
    expect(await preview(curious, manager)).toMatchObject({ status: 403, body: { errorCode: "E0000006" } });
    const both = await org.as(["policies.manage", "users.read"]);
    expect(await preview(curious, both)).toMatchObject({ status: 200 });
  });

  test("A2 reads no profile for a caller who may not read users, whichever rule asks for an attribute", async () => {
    const manager = await org.as(["policies.manage"]);
    const reader = await org.as(["policies.manage", "users.read"]);
    for (const login of ["sam@sales.example", "nobody@sales.example"]) {
      const logins = [{ login }];
      const other = { ruleId: ids["a"], logins };
      const own = {
        ruleId: ids["sales"],
        rule: { name: "sales", conditions: attribute("sales"), actions: to("Beta") },
        logins,
      };
      for (const body of [other, own]) {
        const refused = await preview(body, manager);
        expect(refused).toMatchObject({ status: 403, body: { errorCode: "E0000006" } });
        expect(refused.body.errorCauses).toEqual([
          {
            errorSummary:
              "A rule has a condition on an attribute; this preview needs the scope svc.users.read, which the credentials lack.",
          },
        ]);
        expect((await preview(body, reader)).status).toBe(200);
      }
    }
  });
});
