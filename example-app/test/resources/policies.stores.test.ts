import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { fullOrg } from "../support/documents.js";

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let stranger: ApiClient["api"];

  beforeEach(async () => {
    org = await openOrg(fullOrg);
    ({ api } = org);
    ({ api: stranger } = await openOrg(fullOrg));
  });

  test("L5 every org has one discovery policy, which is found by its type", async () => {
    const list = await api("/policies?type=IDP_DISCOVERY&limit=1");
    const [{ id }] = list.body;
    const self = { href: `${org.origin}/api/v1/policies/${id}` };
    expect(list.body).toEqual([
      {
        id: expect.stringMatching(/^\w{20}$/),
        type: "IDP_DISCOVERY",
        name: "Idp Discovery Policy",
        status: "ACTIVE",
        system: true,
        priority: 1,
        conditions: null,
        whenProfileUnavailable: "UNAVAILABLE",
        created: expect.stringMatching(/Z$/),
        lastUpdated: expect.stringMatching(/Z$/),
        _links: { self },
      },
    ]);
    expect(list.headers["link"]).not.toContain("next");

    const one = await api(`/policies/${id}`);
    expect(one.body).toEqual({
      ...list.body[0],
      _links: {
        self,
        rules: { href: `${self.href}/rules` },
        routingTests: { href: `${self.href}/routingTests` },
        findings: { href: `${self.href}/findings` },
        trace: { href: `${self.href}/trace` },
        preview: { href: `${self.href}/preview`, method: "post" },
        revisions: { href: `${self.href}/revisions` },
        decisions: { href: `${self.href}/decisions` },
      },
    });
    expect((await stranger("/policies?type=IDP_DISCOVERY")).body[0].id).not.toBe(id);
    expect((await stranger(`/policies/${id}`)).body.errorSummary).toBe(`Not found: Resource not found: ${id} (Policy)`);
  });

  test("a policy says what a rule does whose profile can't be read", async () => {
    const [{ id }] = (await api("/policies?type=IDP_DISCOVERY")).body;
    const put = (body: unknown, headers = {}) => api(`/policies/${id}`, { method: "PUT", body, headers });
    const before = await api(`/policies/${id}`);
    const changed = await put({ ...before.body, whenProfileUnavailable: "NEXT_RULE" });
    expect([changed.status, changed.body.whenProfileUnavailable]).toEqual([200, "NEXT_RULE"]);
    expect((await api(`/policies/${id}`)).body).toEqual(changed.body);
    expect((await put({}, { "If-Match": String(before.headers["etag"]) })).status).toBe(412);
    const wrong = await put({ whenProfileUnavailable: "NEVER" });
    expect(wrong.body.errorCauses).toEqual([
      { errorSummary: expect.stringMatching(/^whenProfileUnavailable: must be UNAVAILABLE or NEXT_RULE/) },
    ]);
    const { body: events } = await api(`/logs?filter=${encodeURIComponent('eventType eq "policy.lifecycle.update"')}`);
    expect(events).toMatchObject([{ displayMessage: "Update policy", target: [{ id, type: "Policy" }] }]);

    const exported = (await api("/org/export?users=false")).body;
    expect(exported.orgs[0].whenProfileUnavailable).toBe("NEXT_RULE");
    expect((await put({})).body.whenProfileUnavailable).toBe("UNAVAILABLE");
    await api("/org/import", { method: "POST", body: exported });
    expect((await api(`/policies/${id}`)).body.whenProfileUnavailable).toBe("NEXT_RULE");
    expect((await stranger("/policies?type=IDP_DISCOVERY")).body[0].whenProfileUnavailable).toBe("UNAVAILABLE");
    expect((await stranger(`/policies/${id}`, { method: "PUT", body: {} })).status).toBe(404);
  });

  test.each([
    ["", "E0000028", 'The query parameter "type" is required: IDP_DISCOVERY.'],
    ["?type=", "E0000001", 'type: must be IDP_DISCOVERY, not ""'],
    ["?type=PASSWORD", "E0000001", 'type: must be IDP_DISCOVERY, not "PASSWORD"'],
    ["?type=IDP_DISCOVERY&type=IDP_DISCOVERY", "E0000001", "type: takes one value and came more than once."],
  ])("the type of policies is required: %j", async (query, errorCode, errorSummary) => {
    const { status, body } = await api(`/policies${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errorCode, errorCauses: [{ errorSummary }] });
  });

  test("S7 policies can't be made or removed", async () => {
    const [{ id }] = (await api("/policies?type=IDP_DISCOVERY")).body;
    expect((await api("/policies", { method: "POST", body: {} })).status).toBe(405);
    expect((await api(`/policies/${id}`, { method: "DELETE" })).status).toBe(405);
    expect((await api("/policies/%00")).status).toBe(404);
  });
});
