import { startApi, type ApiClient } from "../support/api.js";
import { fullOrg, samlIdp } from "../support/documents.js";
import { withMetadata } from "../support/metadata-idps.js";
import type { TestServer } from "../support/server.js";
import { describeStores, type TestDatabase } from "../support/stores.js";

const URL_OF_METADATA = "https://idp.example.com/metadata";

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let api: ApiClient["api"];

  beforeEach(async () => {
    data = await database();
    ({ server, api } = await startApi(data, { metadataInterval: false }, { orgs: [fullOrg("demo")] }));
  });
  afterEach(() => server.close());

  test("a provider keeps its metadata address, and shows when it was refreshed", async () => {
    const { status, body } = await api("/idps", { method: "POST", body: withMetadata("Corporate", URL_OF_METADATA) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...withMetadata("Corporate", URL_OF_METADATA),
      metadata: { lastRefreshed: null, lastError: null },
    });
    expect((await api(`/idps/${body.id}`)).body).toEqual(body);
    expect((await api("/idps?q=corporate")).body).toMatchObject([{ metadata: body.metadata }]);

    const replaced = await api(`/idps/${body.id}`, { method: "PUT", body: samlIdp("Corporate") });
    expect(replaced.status).toBe(200);
    expect(replaced.body).not.toHaveProperty("metadata");
    expect(replaced.body.protocol).not.toHaveProperty("metadata");
  });

  test.each([
    ["http://idp.example.com/metadata", /https URL/],
    ["https://a:b@idp.example.com/", /https URL/],
    ["https://idp.example.com/#a", /https URL/],
    [`https://idp.example.com/${"a".repeat(2_025)}`, /too long/],
    [7, /must be a string/],
  ])("E2 %p is refused as a metadata address", async (url, cause) => {
    const { status, body } = await api("/idps", { method: "POST", body: withMetadata("Corporate", url) });
    expect({ status, cause: body.errorCauses[0].errorSummary }).toEqual({
      status: 400,
      cause: expect.stringMatching(new RegExp(`^protocol\\.metadata\\.url: .*${cause.source}`)),
    });
  });

  test("a metadata address has at most 2,048 characters", async () => {
    const url = `https://idp.example.com/${"a".repeat(2_024)}`;
    expect((await api("/idps", { method: "POST", body: withMetadata("Corporate", url) })).status).toBe(200);
  });

  test("metadata needs the issuer that it must have, and a protocol that has metadata", async () => {
    const { protocol, ...idp } = withMetadata("Corporate", URL_OF_METADATA);
    const causesOf = async (body: object) =>
      (await api("/idps", { method: "POST", body })).body.errorCauses.map(
        (cause: { errorSummary: string }) => cause.errorSummary,
      );
    expect(await causesOf({ ...idp, protocol: { ...protocol, credentials: {} } })).toEqual([
      "protocol.credentials.trust.issuer: is required with protocol.metadata, in which it must be the same",
    ]);
    expect(await causesOf({ ...idp, type: "GITHUB", protocol: { ...protocol, type: "OAUTH2" } })).toEqual([
      "protocol.metadata: is for the protocols SAML2 and OIDC",
    ]);
  });

  test("an export has the address and no more, and its import changes nothing", async () => {
    expect((await api("/idps", { method: "POST", body: withMetadata("Corporate", URL_OF_METADATA) })).status).toBe(200);
    const exported = await api("/org/export");
    const file = exported.body.orgs[0].idps.find(({ name }: { name: string }) => name === "Corporate");
    expect(file).toMatchObject({ protocol: { metadata: { url: URL_OF_METADATA } } });
    expect(file).not.toHaveProperty("metadata");
    const imported = await api("/org/import?dryRun=true", { method: "POST", body: exported.body });
    expect(imported).toMatchObject({ status: 200, body: { changes: [] } });
  });
});
