import { until } from "../../../test/support/until.js";
import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { samlIdp, zone } from "../support/documents.js";
import type { Answer } from "../support/server.js";

const suffix = (...values: string[]) => ({
  userIdentifier: { type: "IDENTIFIER", patterns: values.map((value) => ({ matchType: "SUFFIX", value })) },
});
const fileRule = (name: string, idp: string, conditions: object, status = "ACTIVE") => ({
  name,
  status,
  conditions,
  actions: { idp: { providers: [{ idp }] } },
});

const ORG = {
  idps: [samlIdp("Alpha"), samlIdp("Beta"), { ...samlIdp("Closed"), status: "INACTIVE" }],
  zones: [zone("Office")],
  rules: [
    fileRule("acme", "Alpha", suffix("@acme.example")),
    fileRule("sub", "Beta", suffix("@partner.acme.example")),
    fileRule("all of beta", "Beta", suffix("beta.example")),
    fileRule("beta again", "Alpha", suffix("@x.beta.example")),
    fileRule("closed", "Closed", suffix("@closed.example")),
    fileRule("off", "Alpha", {}, "INACTIVE"),
  ],
};

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let policy: string;
  let rules: Record<string, { id: string; name: string; priority: number }>;

  beforeEach(async () => {
    org = await openOrg(() => ORG);
    ({ api } = org);
    policy = `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}`;
    const listed: { id: string; name: string; priority: number }[] = (await api(`${policy}/rules?limit=200`)).body;
    rules = Object.fromEntries(listed.map((rule) => [rule.name, rule]));
  });

  const at = (name: string) => `${policy}/rules/${rules[name]!.id}`;
  const edit = async (name: string, change: object, query = ""): Promise<Answer> => {
    const { body } = await api(at(name));
    return api(`${at(name)}${query}`, { method: "PUT", body: { ...body, ...change } });
  };
  const add = (name: string, change: object, query = ""): Promise<Answer> =>
    api(`${policy}/rules${query}`, {
      method: "POST",
      body: { name, actions: { idp: { providers: [{ type: "SVC" }] } }, ...change },
    });
  const summary = async (query = "") =>
    (await api(`${policy}/findings${query}`)).body.map(
      ({ type, ruleName, by }: { type: string; ruleName: string; by?: { name: string } }) =>
        `${type} ${ruleName}${by ? ` by ${by.name}` : ""}`,
    );
  const causesOf = ({ body }: Answer): string[] =>
    body.errorCauses.map((cause: { errorSummary: string }) => cause.errorSummary);

  const ALL = ["NO_LABEL_BOUNDARY all of beta", "UNREACHABLE beta again by all of beta", "NEVER_MATCHES closed"];
  const REFUSED = { status: 409, body: { errorCode: "E0009101" } };

  test("lists what is wrong with the rules, by priority, and takes filters and pages", async () => {
    expect(await summary()).toEqual(ALL);
    expect(await summary("?type=UNREACHABLE")).toEqual([ALL[1]]);
    expect(await summary(`?ruleId=${rules["closed"]!.id}`)).toEqual([ALL[2]]);
    const first = await api(`${policy}/findings?limit=2`);
    expect(first.body).toHaveLength(2);
    const { id, priority } = rules["beta again"]!;
    const { id: byId } = rules["all of beta"]!;
    expect(first.body[1]).toEqual({
      type: "UNREACHABLE",
      ruleId: id,
      ruleName: "beta again",
      priority,
      by: { id: byId, name: "all of beta", priority: 3 },
      count: 1,
      detail: `"beta again" (priority 4) can't be reached: everything that it takes goes to "all of beta" (priority 3).`,
      _links: { rule: { href: `${org.origin}/api/v1${at("beta again")}` } },
    });
    const [, next = ""] = /<([^>]+)>; rel="next"/.exec(String(first.headers["link"])) ?? [];
    const second = await api(next);
    expect(second.body.map((finding: { type: string }) => finding.type)).toEqual(["NEVER_MATCHES"]);
    const [, previous = ""] = /<([^>]+)>; rel="prev"/.exec(String(second.headers["link"])) ?? [];
    expect((await api(previous)).body).toEqual(first.body);
  });

  test("sends what a client needs to tell a finding in its own words", async () => {
    const [unbounded, shadowed, never] = (await api(`${policy}/findings`)).body;
    expect(unbounded).toMatchObject({ count: 1, pattern: { matchType: "SUFFIX", value: "beta.example" } });
    expect(never).toMatchObject({ reason: "NO_PROVIDER" });
    expect(Object.keys({ ...unbounded, ...shadowed })).not.toContain("reason");
    expect(Object.keys({ ...shadowed, ...never })).not.toContain("pattern");
  });

  test.each([
    ["?type=OTHER", 400, 'type: must be one of UNREACHABLE, NEVER_MATCHES, OVERLAP, NO_LABEL_BOUNDARY, not "OTHER"'],
    ["?ruleId=1", 400, 'ruleId: must be the id of a rule, not "1"'],
  ])("refuses %s", async (query, status, cause) => {
    const answer = await api(`${policy}/findings${query}`);
    expect([answer.status, causesOf(answer)]).toEqual([status, [cause]]);
  });

  test("follows changes of rules, identity providers and zones", async () => {
    const [closed] = (await api("/idps?q=Closed")).body;
    await api(`/idps/${closed.id}/lifecycle/activate`, { method: "POST" });
    expect(await summary()).toEqual(ALL.slice(0, 2));
    const [office] = (await api("/zones?q=Office")).body;
    await add("office", { conditions: { network: { connection: "ZONE", include: [office.id] } } });
    expect(await summary("?type=NEVER_MATCHES")).toEqual([]);
    await api(`/zones/${office.id}/lifecycle/deactivate`, { method: "POST" });
    expect(await summary("?type=NEVER_MATCHES")).toEqual(["NEVER_MATCHES office"]);
    await api(at("all of beta"), { method: "DELETE" });
    expect(await summary("?type=UNREACHABLE")).toEqual([]);
    await org.change({ ...ORG, rules: [fileRule("sub", "Beta", suffix("@x.beta.example")), ...ORG.rules.slice(3)] });
    await until(async () => (await summary("?type=UNREACHABLE"))[0] === "UNREACHABLE beta again by sub");
  });

  test("a change that makes another rule unreachable is refused, unless that is allowed", async () => {
    const wider = { conditions: suffix("acme.example") };
    const refused = await edit("acme", wider);
    expect(refused).toMatchObject(REFUSED);
    expect(causesOf(refused)).toEqual([
      `"sub" (priority 2) can't be reached: everything that it takes goes to "acme" (priority 1).`,
      "To make the change nevertheless, send allowShadowing=true.",
    ]);
    expect((await api(at("acme"))).body.conditions).toEqual(suffix("@acme.example"));
    expect(await edit("acme", wider, "?allowShadowing=false")).toMatchObject(REFUSED);
    expect((await edit("acme", wider, "?allowShadowing=true")).status).toBe(200);
    expect(await summary("?type=UNREACHABLE")).toEqual(["UNREACHABLE sub by acme", ALL[1]]);
    expect((await edit("acme", { name: "again" })).status).toBe(200); // it could not be reached before
    expect(await add("maybe", {}, "?allowShadowing=maybe")).toMatchObject({
      status: 400,
      body: { errorCode: "E0000001" },
    });
  });

  test("so is a new rule, a switched one, and one that is moved", async () => {
    expect(await add("new", { priority: 1, conditions: suffix("acme.example") })).toMatchObject(REFUSED);
    expect(await api(`${at("off")}/lifecycle/activate`, { method: "POST" })).toMatchObject({ status: 200 }); // it is the last
    expect(await edit("off", { priority: 2 })).toMatchObject(REFUSED);
    const last = await add("last", { conditions: suffix("@y.example") });
    expect(last.status).toBe(200); // that it can't be reached itself is a finding
    expect(await summary("?type=UNREACHABLE")).toEqual([ALL[1], "UNREACHABLE last by off"]);
    expect((await add("inactive", { priority: 1, status: "INACTIVE" })).status).toBe(200);
    expect((await api(at("off"), { method: "DELETE" })).status).toBe(204);
    expect(await add("inactive too", { priority: 1, conditions: suffix("example") })).toMatchObject(REFUSED);
  });

  test("an error names some of many rules", async () => {
    const many = Array.from({ length: 22 }, (_, i) => fileRule(`r${i}`, "Beta", suffix(`@${i}.many.example`)));
    await org.change({ ...ORG, rules: many });
    const causes = causesOf(await add("wide", { priority: 1, conditions: suffix("many.example") }));
    expect(causes).toHaveLength(22);
    expect(causes.at(-2)).toBe("2 more rules can't be reached any more.");
  });

  test("what another process changed is seen in the transaction", async () => {
    expect((await edit("acme", { name: "kept in memory" })).status).toBe(200);
    await org.change({ ...ORG, rules: [fileRule("late", "Beta", suffix("@late.example"))] });
    expect(await add("wide", { priority: 1, conditions: suffix("late.example") })).toMatchObject(REFUSED);
  });

  test("of many clients that write at the same time, none shadows", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        add(`r${i}`, {
          priority: 1 + (i % 3),
          conditions: suffix(i % 2 === 0 ? `@${i}.many.example` : "many.example"),
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const found: { type: string; ruleName: string; ruleId: string }[] = (
      await api(`${policy}/findings?limit=200&type=UNREACHABLE`)
    ).body;
    const order: { id: string; priority: number }[] = (await api(`${policy}/rules?limit=200`)).body;
    const created = new Map(answers.flatMap(({ status, body }, i) => (status === 200 ? [[body.id, i] as const] : [])));
    for (const { ruleId } of found.filter((finding) => finding.ruleName.startsWith("r"))) {
      const [mine] = order.filter(({ id }) => id === ruleId);
      const earlier = order.filter(({ id, priority }) => created.has(id) && priority < mine!.priority);
      expect(earlier).not.toEqual([]); // it was added behind the rule that shadows it
    }
  });

  test("a preview shows the findings that a change adds and removes", async () => {
    const preview = async (body: object) =>
      (await api(`${policy}/preview`, { method: "POST", body: { logins: [{ login: "joe" }], ...body } })).body.findings;
    const values = {
      name: "wide",
      priority: 1,
      conditions: suffix("acme.example"),
      actions: { idp: { providers: [{ type: "SVC" }] } },
    };
    const { added, addedCount, removed } = await preview({ rule: values });
    expect(addedCount).toBe(3);
    expect(added.map(({ type, ruleName }: { type: string; ruleName: string }) => `${type} ${ruleName}`)).toEqual([
      "NO_LABEL_BOUNDARY wide",
      "UNREACHABLE acme",
      "UNREACHABLE sub",
    ]);
    expect(added[0]).not.toHaveProperty("ruleId");
    expect(added[1]).toMatchObject({ ruleId: rules["acme"]!.id, by: { name: "wide", priority: 1 } });
    expect(added[1].by).not.toHaveProperty("id");
    expect(removed).toEqual([]);
    const deleted = await preview({ ruleId: rules["all of beta"]!.id });
    expect(deleted).toMatchObject({ addedCount: 0, removedCount: 2 });
  });

  test("findings are for callers who may read policies of this org", async () => {
    const reader = await org.as(["zones.read"]);
    expect((await reader(`${policy}/findings`)).status).toBe(403);
    const { api: stranger } = await openOrg();
    expect((await stranger(`${policy}/findings`)).status).toBe(404);
  });
});
