import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { samlIdp } from "../support/documents.js";
import { TEST_NODES, webfingerPath, type Answer } from "../support/server.js";

const dynamic = (providerExpression: string) => ({
  idp: { idpSelectionType: "DYNAMIC", matchCriteria: [{ propertyName: "name", providerExpression }] },
});
const BY_DOMAIN = dynamic("login.identifier.substringAfter('@')");
const ORG = { idp: { providers: [{ type: "SVC" }] } };

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let policy: string;

  beforeEach(async () => {
    const idps = ["contoso.example", "Fabrikam.example"].map((name) => samlIdp(name));
    org = await openOrg(() => ({ name: "Demo", idps }));
    ({ api } = org);
    policy = `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}`;
  });

  const add = (name: string, actions: object, more: object = {}): Promise<Answer> =>
    api(`${policy}/rules`, { method: "POST", body: { name, actions, ...more } });
  const causesOf = ({ body }: Answer): string[] =>
    body.errorCauses.map((cause: { errorSummary: string }) => cause.errorSummary);
  const idOf = async (name: string): Promise<string> =>
    (await api("/idps")).body.find((idp: { name: string }) => idp.name === name).id;

  /** The titles of WebFinger's links; the same on every node. */
  async function route(login: string): Promise<string[]> {
    const answers: string[][] = [];
    for (let node = 0; node < TEST_NODES; node++) {
      const { body } = await org.visit(webfingerPath(encodeURIComponent(login)));
      answers.push(body.links.map(({ titles }: { titles: { und: string } }) => titles.und));
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    return answers[0]!;
  }

  test("W4 W5 a rule picks the provider whose name is the value of its expression", async () => {
    const { status, body: rule } = await add("By domain", BY_DOMAIN);
    expect(status).toBe(200);
    expect(rule).toMatchObject({ priority: 1, conditions: {} });
    expect(rule.actions).toEqual(BY_DOMAIN);
    expect((await api(`${policy}/rules/${rule.id}`)).body.actions).toEqual(BY_DOMAIN);
    expect((await api(`${policy}/rules`)).body).toMatchObject([{ actions: BY_DOMAIN }, { system: true }]);

    const id = await idOf("contoso.example");
    const base = org.origin;
    expect((await org.visit(webfingerPath("joe@contoso.example"))).body).toEqual({
      subject: "svc:acct:joe@contoso.example",
      links: [
        {
          rel: "svc:idp",
          href: `${base}/sso/idps/${id}`,
          titles: { und: "contoso.example" },
          properties: {
            "svc:idp:metadata": `${base}/api/v1/idps/${id}/metadata.xml`,
            "svc:idp:type": "SAML2",
            "svc:idp:id": id,
          },
        },
      ],
    });
    const picked = await org.visit("/sso/login?login=joe@contoso.example");
    expect(picked).toMatchObject({
      status: 303,
      headers: { location: `/sso/idps/${id}?login_hint=joe%40contoso.example` },
    });
  });

  test("W4 a login without such a provider goes on to the next rule", async () => {
    await add("By domain", BY_DOMAIN);
    const next = { providers: [{ type: "SAML2", id: await idOf("Fabrikam.example") }] };
    const conditions = { userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "CONTAINS", value: "next" }] } };
    await add("Next", { idp: next }, { conditions });
    for (const [login, title] of [
      ["joe@contoso.example", "contoso.example"],
      ["next@contoso.example", "contoso.example"],
      ["next@nowhere.example", "Fabrikam.example"],
      ["joe@nowhere.example", "Demo"],
      ["joe@sub.contoso.example", "Demo"],
      ["joe@contoso.example@contoso.example", "Demo"], // behind the first separator
      ["joe@Contoso.example", "Demo"], // names are compared exactly
      ["joe@fabrikam.example", "Demo"],
      ["joe@Fabrikam.example", "Fabrikam.example"],
      ["contoso.example", "Demo"], // without the separator the value is empty
      ["joe@", "Demo"],
    ] as const) {
      expect([login, await route(login)]).toEqual([login, [title]]);
    }
  });

  test("W4 an expression takes parts of the login, in small letters if it says so", async () => {
    const { id } = (await add("Dynamic", BY_DOMAIN)).body;
    for (const [expression, login, title] of [
      ["login.identifier", "contoso.example", "contoso.example"],
      ["login.identifier", "CONTOSO.example", "Demo"],
      ["login.identifier.toLowerCase()", "CONTOSO.example", "contoso.example"],
      ["login.identifier.substringAfter('@').toLowerCase()", "Joe@CONTOSO.Example", "contoso.example"],
      ["login.identifier.substringBefore('@')", "contoso.example@joe", "contoso.example"],
      ["login.identifier.substringBefore('@')", "contoso.example", "contoso.example"], // no separator: all of it
      ["login.identifier.substringBefore('@')", "@contoso.example", "Demo"],
      ["login.identifier.substringAfter('+').substringBefore('@')", "joe+contoso.example@x", "contoso.example"],
      ["login.identifier.substringAfter('X')", "joexcontoso.example", "Demo"],
      ["login.identifier.substringAfter('::')", "a:::contoso.example", "Demo"],
      ["login.identifier.substringAfter('::')", "a::contoso.example", "contoso.example"],
    ] as const) {
      const body = { name: "Dynamic", actions: dynamic(expression) };
      expect((await api(`${policy}/rules/${id}`, { method: "PUT", body })).status).toBe(200);
      expect([expression, login, await route(login)]).toEqual([expression, login, [title]]);
    }
  });

  test("W4 its conditions must hold too, also one on an attribute", async () => {
    const profile = {
      login: "ann@contoso.example",
      email: "ann@x",
      firstName: "A",
      lastName: "B",
      department: "sales",
    };
    await api("/users", { method: "POST", body: { profile } });
    const patterns = [{ matchType: "EQUALS", value: "sales" }];
    const userIdentifier = { type: "ATTRIBUTE", attribute: "department", patterns };
    await add("Sales", BY_DOMAIN, { conditions: { userIdentifier } });
    expect(await route("ann@contoso.example")).toEqual(["contoso.example"]);
    expect(await route("joe@contoso.example")).toEqual(["Demo"]);
  });

  test("W4 a provider that is added, renamed, switched off or deleted changes the routing at once, on every node", async () => {
    await add("By domain", BY_DOMAIN);
    expect(await route("joe@new.example")).toEqual(["Demo"]);
    const { id } = (await api("/idps", { method: "POST", body: samlIdp("new.example") })).body;
    expect(await route("joe@new.example")).toEqual(["new.example"]);
    await api(`/idps/${id}`, { method: "PUT", body: samlIdp("other.example") });
    expect(await route("joe@new.example")).toEqual(["Demo"]);
    expect(await route("joe@other.example")).toEqual(["other.example"]);
    await api(`/idps/${id}/lifecycle/deactivate`, { method: "POST" });
    expect(await route("joe@other.example")).toEqual(["Demo"]);
    await api(`/idps/${id}/lifecycle/activate`, { method: "POST" });
    expect(await route("joe@other.example")).toEqual(["other.example"]);
    // no rule names it, whatever an expression says
    await add("Mentions it", dynamic(`login.identifier.substringAfter('"${id}"')`));
    expect((await api(`/idps/${id}`, { method: "DELETE" })).status).toBe(204);
    expect(await route("joe@other.example")).toEqual(["Demo"]);
  });

  test("W10 the trace shows the value and the provider that it met, or that none did", async () => {
    const { body: rule } = await add("By domain", BY_DOMAIN, {
      conditions: { platform: { exclude: [{ type: "MOBILE" }] } },
    });
    const id = await idOf("contoso.example");
    await api(`/idps/${await idOf("Fabrikam.example")}/lifecycle/deactivate`, { method: "POST" });
    const trace = async (login: string) => (await api(`${policy}/trace?resource=svc:acct:${login}`)).body;
    const platform = { condition: "platform", holds: true, value: { type: "OTHER", os: "OTHER" } };

    const met = await trace("joe@contoso.example");
    const provider = { id, type: "SAML2", name: "contoso.example" };
    expect(met.match).toMatchObject({ id: rule.id, result: "MATCH" });
    expect(met.match.conditions).toEqual([
      platform,
      { condition: "matchCriteria", holds: true, value: "contoso.example", provider },
    ]);
    expect(met.links).toMatchObject([{ properties: { "svc:idp:id": id } }]);

    for (const value of ["nowhere.example", "Fabrikam.example", ""]) {
      const none = await trace(`joe@${value}`);
      expect(none.match).toMatchObject({ name: "Default Rule" });
      expect(none.rules[0]).toMatchObject({ id: rule.id, result: "NO_MATCH" });
      expect(none.rules[0].conditions).toEqual([
        platform,
        { condition: "matchCriteria", holds: false, value, provider: null },
      ]);
    }
  });

  test("a rule becomes dynamic and specific again; without idpSelectionType it is specific", async () => {
    const { body: rule } = await add("Changes", ORG);
    expect(rule.actions).toEqual({ idp: { providers: [{ type: "SVC" }], idpSelectionType: "SPECIFIC" } });
    const path = `${policy}/rules/${rule.id}`;
    const replace = async (actions: object) =>
      (await api(path, { method: "PUT", body: { name: "Changes", actions } })).body;
    expect((await replace(BY_DOMAIN)).actions).toEqual(BY_DOMAIN);
    expect(await route("joe@contoso.example")).toEqual(["contoso.example"]);
    expect((await replace({ idp: { ...ORG.idp, matchCriteria: null } })).actions).toEqual(rule.actions);
    expect(await route("joe@contoso.example")).toEqual(["Demo"]);
    expect((await replace({ idp: { ...BY_DOMAIN.idp, providers: null, risk: 1 } })).actions).toEqual(BY_DOMAIN);
  });

  test("refuses every other selection, with the cause at its place", async () => {
    const criterion = BY_DOMAIN.idp.matchCriteria[0]!;
    const { providers } = ORG.idp;
    for (const [idp, cause] of [
      [
        { idpSelectionType: "DYNAMIC", ...ORG.idp, matchCriteria: [criterion] },
        "providers: goes with the idpSelectionType SPECIFIC only",
      ],
      [
        { idpSelectionType: "DYNAMIC", providers: [], matchCriteria: [criterion] },
        "providers: goes with the idpSelectionType SPECIFIC only",
      ],
      [{ idpSelectionType: "DYNAMIC" }, "matchCriteria: is required"],
      [{ idpSelectionType: "DYNAMIC", matchCriteria: [] }, "matchCriteria: must be an array with one criterion"],
      [
        { idpSelectionType: "DYNAMIC", matchCriteria: [criterion, criterion] },
        "matchCriteria: must be an array with one criterion",
      ],
      [{ idpSelectionType: "DYNAMIC", matchCriteria: criterion }, "matchCriteria: must be an array with one criterion"],
      [
        { idpSelectionType: "DYNAMIC", matchCriteria: [{ ...criterion, propertyName: "id" }] },
        'matchCriteria[0].propertyName: must be name, not "id"',
      ],
      [
        { idpSelectionType: "DYNAMIC", matchCriteria: [{ propertyName: "name" }] },
        "matchCriteria[0].providerExpression: is required",
      ],
      [
        dynamic("login.identifier.substringAfter('@').trim()").idp,
        'matchCriteria[0].providerExpression: found "trim()" at offset 37, expected substringBefore, substringAfter or toLowerCase',
      ],
      [{ providers, matchCriteria: [criterion] }, "matchCriteria: goes with the idpSelectionType DYNAMIC only"],
      [
        { idpSelectionType: "SPECIFIC", providers, matchCriteria: [] },
        "matchCriteria: goes with the idpSelectionType DYNAMIC only",
      ],
      [{ idpSelectionType: "SPECIFIC" }, "providers: is required"],
      [{}, "providers: is required"],
      [
        { idpSelectionType: "dynamic", matchCriteria: [criterion] },
        'idpSelectionType: must be SPECIFIC or DYNAMIC, not "dynamic"',
      ],
      [{ idpSelectionType: 1, providers }, "idpSelectionType: must be SPECIFIC or DYNAMIC, not 1"],
    ] as const) {
      const refused = await add("New", { idp });
      expect(refused).toMatchObject({ status: 400, body: { errorCode: "E0000001" } });
      expect(causesOf(refused)).toEqual([`actions.idp.${cause}`]);
    }
  });

  test("W4 the default rule names its providers, so that there is always an answer", async () => {
    const [rule] = (await api(`${policy}/rules`)).body;
    const replace = (actions: object) => api(`${policy}/rules/${rule.id}`, { method: "PUT", body: { actions } });
    const refused = await replace(BY_DOMAIN);
    expect(refused.status).toBe(400);
    expect(causesOf(refused)).toEqual(["actions.idp.idpSelectionType: of the default rule must be SPECIFIC"]);
    expect((await replace(rule.actions)).status).toBe(200);
  });
});
