import { createClient, insertApiToken, startApi, type ApiClient } from "../support/api.js";
import { fullOrg } from "../support/documents.js";
import type { TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

describeStores((_engine, database) => {
  let server: TestServer;
  let api: ApiClient["api"];
  let stranger: ApiClient["api"];

  beforeEach(async () => {
    const data = await database();
    ({ server, api } = await startApi(data, {}, { orgs: [fullOrg("demo"), fullOrg("other")] }));
    stranger = createClient(server, "other", await insertApiToken(data.options, "other")).api;
  });
  afterEach(() => server.close());

  test("L5 every org has one discovery policy, which is found by its type", async () => {
    const list = await api("/policies?type=IDP_DISCOVERY&limit=1");
    const [{ id }] = list.body;
    const self = { href: `https://localhost:${server.port}/api/v1/policies/${id}` };
    expect(list.body).toEqual([
      {
        id: expect.stringMatching(/^\w{20}$/),
        type: "IDP_DISCOVERY",
        name: "Idp Discovery Policy",
        status: "ACTIVE",
        system: true,
        priority: 1,
        conditions: null,
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

  test("S7 policies can't be made or changed", async () => {
    const [{ id }] = (await api("/policies?type=IDP_DISCOVERY")).body;
    expect((await api("/policies", { method: "POST", body: {} })).status).toBe(405);
    expect((await api(`/policies/${id}`, { method: "PUT", body: {} })).status).toBe(405);
    expect((await api("/policies/%00")).status).toBe(404);
  });
});
