import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { CERTIFICATE, fullOrg, samlIdp } from "../support/documents.js";
import { readEventTypes } from "../support/event-types.js";
import { startTestServer, type Answer } from "../support/server.js";
import { findElements, parseXml } from "../support/xml.js";

const OIDC = {
  name: "Partner",
  type: "OIDC",
  protocol: {
    type: "OIDC",
    endpoints: { sso: { url: "https://oidc.example/authorize?a=1&b=2", binding: "HTTP-REDIRECT" } },
    credentials: { client: { clientId: "abc" } },
  },
};

const MD = "urn:oasis:names:tc:SAML:2.0:metadata";
const DS = "http://www.w3.org/2000/09/xmldsig#";

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let stranger: ApiClient["api"];
  let anonymous: (path: string, headers?: Record<string, string>) => Promise<Answer>;

  beforeEach(async () => {
    org = await openOrg(fullOrg);
    ({ api } = org);
    ({ api: stranger } = await openOrg(fullOrg));
    anonymous = (path, headers = {}) => org.visit(path, { headers });
  });

  async function create(body: object): Promise<{ id: string; _links: Record<string, { href: string }> }> {
    const created = await api("/idps", { method: "POST", body });
    expect(created.status).toBe(200);
    return created.body;
  }

  test("L4 an identity provider is created, read, replaced, switched off and on, and deleted; links follow its state", async () => {
    const created = await create(samlIdp("Corporate"));
    const base = `${org.origin}/api/v1/idps/${created.id}`;
    expect(created).toMatchObject({ ...samlIdp("Corporate"), status: "ACTIVE" });
    expect(created._links).toEqual({
      self: { href: base },
      metadata: { href: `${base}/metadata.xml`, type: "application/xml" },
      deactivate: { href: `${base}/lifecycle/deactivate`, method: "post" },
    });
    expect((await api(base)).body).toEqual(created);

    const off = await api(`${base}/lifecycle/deactivate`, { method: "POST" });
    expect(off).toMatchObject({ status: 200, body: { status: "INACTIVE" } });
    expect(Object.keys(off.body._links)).toEqual(["self", "activate"]);
    expect((await api(`${base}/lifecycle/deactivate`, { method: "POST" })).body).toMatchObject({
      errorCode: "E0000001",
      errorCauses: [{ errorSummary: "status: is INACTIVE already" }],
    });
    expect((await api(`${base}/lifecycle/activate`, { method: "POST" })).body.status).toBe("ACTIVE");

    const body = { ...samlIdp("Renamed"), id: "x", created: "then", status: null, _links: {}, unknown: 1 };
    const replaced = await api(base, { method: "PUT", body });
    expect(replaced).toMatchObject({ status: 200, body: { id: created.id, name: "Renamed", status: "ACTIVE" } });
    expect(replaced.body).not.toHaveProperty("unknown");
    expect((await api(base, { method: "DELETE" })).status).toBe(204);
    expect((await api(base)).status).toBe(404);
  });

  test("L3 only a SAML provider whose entity id is known links to metadata", async () => {
    expect((await create(OIDC))._links).not.toHaveProperty("metadata");
    const saml = samlIdp("Bare");
    const bare = await create({ ...saml, protocol: { ...saml.protocol, credentials: {} } });
    expect(bare._links).not.toHaveProperty("metadata");
    expect(await anonymous(`/api/v1/idps/${bare.id}/metadata.xml`)).toMatchObject({
      status: 404,
      body: { errorCode: "E0000007", errorCauses: [{ errorSummary: expect.stringContaining("trust.issuer") }] },
    });
  });

  test("the type of an identity provider can't change", async () => {
    const { id } = await create(samlIdp("Corporate"));
    expect(await api(`/idps/${id}`, { method: "PUT", body: { ...OIDC, name: "Corporate" } })).toMatchObject({
      status: 403,
      body: {
        errorCode: "E0000078",
        errorSummary: "Cannot modify the type attribute because it is immutable.",
        errorCauses: [{ errorSummary: "type: is SAML2; create another identity provider for OIDC." }],
      },
    });
    expect((await api(`/idps/${id}`)).body.type).toBe("SAML2");
  });

  test("E2 what is wrong with a body is told field by field", async () => {
    const saml = samlIdp("x");
    const sso = { url: "javascript:alert(1)", binding: "HTTP-PUT" };
    const body = { ...saml, name: " x", protocol: { ...saml.protocol, endpoints: { sso } } };
    const { status, body: error } = await api("/idps", { method: "POST", body });
    expect(status).toBe(400);
    expect(error.errorCauses.map((cause: { errorSummary: string }) => cause.errorSummary)).toEqual([
      "name: must be one line without white space around it",
      "protocol.endpoints.sso.url: must be an https or http URL without user name, fragment and white space",
      'protocol.endpoints.sso.binding: must be HTTP-POST or HTTP-REDIRECT, not "HTTP-PUT"',
    ]);
    const secret = { ...OIDC, protocol: { ...OIDC.protocol, credentials: { client: { clientId: "a", secret: "s" } } } };
    expect((await create(secret)) as unknown).not.toHaveProperty("protocol.credentials.client.secret");
    expect((await api("/idps", { method: "POST", body: samlIdp("Contoso") })).body.errorCauses).toEqual([
      { errorSummary: "name: another IdentityProvider has it already" },
    ]);
  });

  test("the list is searched by name and filtered by type", async () => {
    await create(OIDC);
    await create({ ...OIDC, name: "ÄRGER 100%_" });
    const names = async (query: string) => (await api(`/idps?${query}`)).body.map((idp: { name: string }) => idp.name);
    expect(await names("")).toEqual(["Contoso", "Google", "Partner", "ÄRGER 100%_"]);
    expect(await names("type=OIDC")).toEqual(["Partner", "ÄRGER 100%_"]);
    expect(await names("type=GOOGLE&q=OO")).toEqual(["Google"]);
    expect(await names("type=SAML2&q=google")).toEqual([]);
    expect(await names("q=%C3%84rger%20100%25_")).toEqual(["ÄRGER 100%_"]);
    expect(await names("q=%C3%84rger+100%25_")).toEqual(["ÄRGER 100%_"]); // as URLSearchParams writes it
    expect(await names("q=%C3%84rger%2B100%25_")).toEqual([]);
    expect(await names("q=&type=")).toHaveLength(4);
    for (const [query, cause] of [
      ["type=saml2", /^type: must be one of SAML2, OIDC, .* not "saml2"$/],
      ["type=OIDC&type=SAML2", /^type: takes one value/],
      ["q=%00", /^q: has a control character at offset 0$/],
      [`q=${"a".repeat(129)}`, /^q: has 129 characters/],
    ] as const) {
      const { status, body } = await api(`/idps?${query}`);
      expect({ status, cause: body.errorCauses[0].errorSummary }).toEqual({
        status: 400,
        cause: expect.stringMatching(cause),
      });
    }
    expect((await api(`/idps?q=${"a".repeat(128)}`)).status).toBe(200);
    expect(Object.keys((await api("/idps")).body[0]._links)).toEqual(["self"]);
  });

  test("an identity provider that rules lead to is not deleted, and the error names some of them", async () => {
    const { id } = (await api("/idps?q=contoso")).body[0];
    const refused = await api(`/idps/${id}`, { method: "DELETE" });
    expect(refused).toMatchObject({ status: 409, body: { errorCode: "E0000195" } });
    expect(refused.body.errorCauses.map((cause: { errorSummary: string }) => cause.errorSummary)).toEqual([
      expect.stringMatching(/^The rule "first" \(\w{20}\) uses it\.$/),
      expect.stringMatching(/^The rule "third" \(\w{20}\) uses it\.$/),
    ]);
    expect((await api(`/idps/${id}/lifecycle/deactivate`, { method: "POST" })).status).toBe(200);

    const policy = (await api("/policies?type=IDP_DISCOVERY")).body[0].id;
    for (const name of ["a", "b", "c", "d"]) {
      const body = { name, actions: { idp: { providers: [{ type: "SAML2", id }] } } };
      expect((await api(`/policies/${policy}/rules`, { method: "POST", body })).status).toBe(200);
    }
    const { errorCauses } = (await api(`/idps/${id}`, { method: "DELETE" })).body;
    expect(errorCauses).toHaveLength(6);
    expect(errorCauses.at(-1)).toEqual({ errorSummary: "More rules use it." });
  });

  test("W5 metadata.xml describes a SAML provider to everyone", async () => {
    const { id, _links } = await create(samlIdp("Corporate"));
    const answer = await anonymous(new URL(_links["metadata"]!.href).pathname);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "application/xml; charset=utf-8",
      "x-content-type-options": "nosniff",
    });
    const root = await parseXml(answer.text);
    expect(root).toMatchObject({
      namespace: MD,
      name: "EntityDescriptor",
      attributes: { entityID: "https://idp.example.com" },
      children: [
        {
          namespace: MD,
          name: "IDPSSODescriptor",
          attributes: { protocolSupportEnumeration: "urn:oasis:names:tc:SAML:2.0:protocol" },
          children: [
            { namespace: MD, name: "KeyDescriptor", attributes: { use: "signing" } },
            {
              namespace: MD,
              name: "SingleSignOnService",
              attributes: {
                Binding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST",
                Location: "https://idp.example.com/sso",
              },
            },
          ],
        },
      ],
    });
    const [certificate] = findElements(root, DS, "X509Certificate");
    expect(certificate!.text).toBe(CERTIFICATE.replace(/-----[^-]+-----|\s/g, ""));

    expect((await anonymous(`/api/v1/idps/${id}/metadata.xml`, { Authorization: "SVC nonsense" })).status).toBe(200);
    expect((await api(`/idps/${id}/metadata.xml`, { method: "HEAD" })).status).toBe(200);
    expect((await api(`/idps/${id}/metadata.xml`, { method: "PUT" })).status).toBe(405);
  });

  test("L4 metadata.xml of an inactive provider is 404, to everyone the same as of one that does not exist", async () => {
    const { id } = await create(samlIdp("Corporate"));
    const unknown = "0".repeat(20);
    const summaryOf = async (of: string, ask: (path: string) => Promise<Answer>) => {
      const { status, body } = await ask(of);
      return {
        status,
        code: body?.errorCode,
        summary: body?.errorSummary.replace(of, "ID"),
        causes: body?.errorCauses,
      };
    };
    const asks = [
      (of: string) => anonymous(`/api/v1/idps/${of}/metadata.xml`),
      (of: string) => api(`/idps/${of}/metadata.xml`),
    ];
    expect((await anonymous(`/api/v1/idps/${id}/metadata.xml`)).status).toBe(200);
    await api(`/idps/${id}/lifecycle/deactivate`, { method: "POST" });
    expect((await api(`/idps/${id}`)).body._links).not.toHaveProperty("metadata");
    for (const ask of asks) {
      const refused = await summaryOf(id, ask);
      expect(refused).toMatchObject({ status: 404, code: "E0000007", causes: [] });
      expect(refused).toEqual(await summaryOf(unknown, ask));
    }
    await api(`/idps/${id}/lifecycle/activate`, { method: "POST" });
    expect((await anonymous(`/api/v1/idps/${id}/metadata.xml`)).status).toBe(200);
  });

  test("metadata.xml comes as XML under both its types, whatever Accept says", async () => {
    const { id } = await create(samlIdp("Corporate"));
    const path = `/api/v1/idps/${id}/metadata.xml`;
    for (const [accept, status, type] of [
      ["application/xml", 200, "application/xml; charset=utf-8"],
      ["application/samlmetadata+xml", 200, "application/samlmetadata+xml; charset=utf-8"],
      ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 200, "application/xml; charset=utf-8"],
      ["application/json", 200, "application/xml; charset=utf-8"],
    ] as const) {
      const answer = await anonymous(path, { Accept: accept });
      expect({ status: answer.status, type: answer.headers["content-type"] }).toEqual({ status, type });
    }
  });

  test("S3 metadata.xml needs neither Content-Type nor Accept, also when headers are strict", async () => {
    const { id } = await create(samlIdp("Corporate"));
    const strict = await startTestServer(org, { strictHeaders: true });
    org = org.at(strict);
    for (const Accept of [undefined, "text/html,*/*;q=0.8", "application/samlmetadata+xml", "application/json"]) {
      const headers = Accept === undefined ? {} : { Accept };
      expect((await anonymous(`/api/v1/idps/${id}/metadata.xml`, headers)).status).toBe(200);
    }
    expect((await anonymous(`/api/v1/idps/${id}`)).body.errorCode).toBe("E0000018");
    await strict.close();
  });

  test("hostile entity ids and addresses stay text in metadata.xml", async () => {
    const issuer = `urn:x"><script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script>&amp;]]>ä`;
    const url = "https://idp.example/sso?a=1&b=<\">'";
    const saml = samlIdp("Hostile");
    const protocol = {
      ...saml.protocol,
      endpoints: { sso: { url, binding: "HTTP-REDIRECT" } },
      credentials: { trust: { issuer } },
    };
    const { id } = await create({ ...saml, protocol });
    const root = await parseXml((await anonymous(`/api/v1/idps/${id}/metadata.xml`)).text);
    expect(root.attributes["entityID"]).toBe(issuer);
    expect(root.children[0]!.children).toMatchObject([
      {
        name: "SingleSignOnService",
        attributes: { Binding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect", Location: url },
      },
    ]);
  });

  test.each([
    ["a".repeat(1_023), 200],
    ["a".repeat(1_024), 200],
    ["a".repeat(1_025), 404],
    ["urn:\uffff", 404],
  ])("metadata.xml is there only for what can be an entity id (%#)", async (issuer, status) => {
    const saml = samlIdp("Long");
    const { id, _links } = await create({
      ...saml,
      protocol: { ...saml.protocol, credentials: { trust: { issuer } } },
    });
    expect((await anonymous(`/api/v1/idps/${id}/metadata.xml`)).status).toBe(status);
    expect("metadata" in _links).toBe(status === 200);
  });

  test("A2 the identity providers of another org are not there, nor what can be no id", async () => {
    const { id } = await create(samlIdp("Mine"));
    const oidc = await create(OIDC);
    for (const [path, method, body] of [
      [`/idps/${id}`, "GET"],
      [`/idps/${id}`, "PUT", samlIdp("Theirs")],
      [`/idps/${id}`, "DELETE"],
      [`/idps/${id}/lifecycle/activate`, "POST"],
      [`/idps/${id}/lifecycle/deactivate`, "POST"],
    ] as const) {
      expect(await stranger(path, { method, body })).toMatchObject({
        status: 404,
        body: { errorCode: "E0000007", errorSummary: `Not found: Resource not found: ${id} (IdentityProvider)` },
      });
    }
    expect((await stranger(`/idps/${id}/metadata.xml`)).status).toBe(404);
    expect((await api(`/idps/${oidc.id}/metadata.xml`)).status).toBe(404);
    for (const nonsense of ["%00", "x", "%27%20or%201=1", "a".repeat(300)]) {
      expect((await api(`/idps/${nonsense}`)).status).toBe(404);
      expect((await anonymous(`/api/v1/idps/${nonsense}/metadata.xml`)).status).toBe(404);
    }
    expect((await stranger("/idps")).body).toHaveLength(2);
  });

  test("changes are events of the System Log, in the same transaction", async () => {
    const { id } = await create(samlIdp("Logged"));
    await api(`/idps/${id}/lifecycle/deactivate`, { method: "POST" });
    await api(`/idps/${id}`, { method: "PUT", body: samlIdp("Renamed") });
    await api(`/idps/${id}`, { method: "PUT", body: samlIdp("Contoso") }); // refused
    await api(`/idps/${id}/lifecycle/activate`, { method: "POST" });
    await api(`/idps/${id}`, { method: "DELETE" });
    expect(await readEventTypes(org, "system.idp")).toEqual(
      ["create", "deactivate", "update", "activate", "delete"].map((operation) => `system.idp.lifecycle.${operation}`),
    );
  });
});
