import { createClient, insertApiToken, startApi, type ApiClient } from "../support/api.js";
import { CERTIFICATE, fullOrg } from "../support/documents.js";
import {
  LOOPBACK,
  oidcMetadata,
  samlMetadata,
  startMetadataServer,
  type MetadataServer,
} from "../support/metadata-server.js";
import type { Answer, TestServer } from "../support/server.js";
import { describeStores, type TestDatabase } from "../support/stores.js";

const PATH = "/idps/metadata";

describeStores((_engine, database) => {
  let data: TestDatabase;
  let host: MetadataServer;
  let server: TestServer;
  let api: ApiClient["api"];

  async function startWith(metadataNetworks: readonly string[] = LOOPBACK): Promise<void> {
    data = await database();
    const settings = { metadataInterval: false as const, metadataNetworks };
    ({ server, api } = await startApi(data, settings, { orgs: [fullOrg("demo")] }));
  }

  beforeEach(async () => (host = await startMetadataServer()));
  afterEach(() => Promise.all([server.close(), host.close()]));

  const read = (body: unknown) => api(PATH, { method: "POST", body });
  const causesOf = ({ body }: Answer) => body.errorCauses.map((cause: { errorSummary: string }) => cause.errorSummary);

  test("what metadata at an address says can be stored as it is, and is refreshed from there", async () => {
    await startWith();
    host.respond(samlMetadata({ certificates: [CERTIFICATE] }));
    const before = (await api("/idps")).body;
    const { status, body } = await read({ url: host.url });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "idp.example.com", protocol: { metadata: { url: host.url } } });
    expect((await api("/idps")).body).toEqual(before);
    expect(await api("/idps", { method: "POST", body })).toMatchObject({ status: 200, body });
  });

  test("a text is read without a request to any host", async () => {
    await startWith();
    const { status, body } = await read({ text: oidcMetadata() });
    expect([status, body.type, body.protocol.metadata]).toEqual([200, "OIDC", undefined]);
    expect(host.requests).toHaveLength(0);
  });

  test("what can't be used is 422 with the reason, and nothing of what the host sent", async () => {
    await startWith();
    host.respond("<!doctype html><title>secret</title>");
    const page = await read({ url: host.url });
    expect(page).toMatchObject({ status: 422, body: { errorCode: "E0009006" } });
    expect(causesOf(page)).toEqual(["url: this is a web page, not metadata"]);
    expect(page.text).not.toContain("secret");
    expect(causesOf(await read({ text: "<a/>" }))).toEqual(["text: the metadata is no EntityDescriptor"]);
    host.respond((_, res) => res.writeHead(302, { Location: "https://example.com" }).end());
    expect(causesOf(await read({ url: host.url }))).toEqual([
      "url: the host redirects (302); give the address where that ends",
    ]);
  });

  test("an address that is not public is refused, unless its network is listed", async () => {
    await startWith([]);
    expect(causesOf(await read({ url: host.url }))).toEqual(["url: the host has an address that is not public"]);
    expect(host.requests).toHaveLength(0);
  });

  test("a body has an address or a text, within bounds", async () => {
    await startWith();
    expect(causesOf(await read({}))).toEqual(["url: is required, or text; not both"]);
    expect(causesOf(await read({ url: host.url, text: "{}" }))).toEqual(["url: is required, or text; not both"]);
    expect(causesOf(await read({ url: "http://idp.example.com/" }))).toEqual([
      "url: must be an https URL (http on the loopback)",
    ]);
    expect(await read({ text: "x".repeat(262_145) })).toMatchObject({ status: 400 });
    expect((await api(PATH)).status).toBe(405);
  });

  test("it needs the right to change providers", async () => {
    await startWith();
    const reader = createClient(server, "demo", await insertApiToken(data.options, "demo", ["idps.read"])).api;
    expect((await reader(PATH, { method: "POST", body: { text: oidcMetadata() } })).status).toBe(403);
  });
});
