import { createId } from "../../src/model/ids.js";
import { importText } from "../../src/transfer/import.js";
import { createClient, insertApiToken, startApi, type ApiClient } from "../support/api.js";
import { startConsole } from "../support/console.js";
import { CERTIFICATE, fullOrg, zone } from "../support/documents.js";
import { withMetadata } from "../support/metadata-idps.js";
import { LOOPBACK, samlMetadata, startMetadataServer } from "../support/metadata-server.js";
import type { TestServer } from "../support/server.js";
import { describeStores, withStore, type TestDatabase } from "../support/stores.js";

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  afterEach(() => server.close());

  const policyOf = async ({ api }: ApiClient) => `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}`;
  const revisionsOf = async (client: ApiClient) => (await client.api(`${await policyOf(client)}/revisions`)).body;

  it("tells what was changed in the console", async () => {
    data = await database();
    const client = await startConsole(data, {}, { orgs: [fullOrg("demo")] });
    ({ server } = client);
    const { cookie } = await client.signIn({ code: await client.newCode() });
    expect((await client.visit(cookie, "/api/v1/zones", { method: "POST", body: zone("New") })).status).toBe(200);
    const [made] = await revisionsOf(createClient(server, "demo", await insertApiToken(data.options, "demo")));
    expect(made).toMatchObject({ source: "console", changes: [{ event: "create", name: "New" }] });
  });

  it("tells what came from the metadata of a provider, but not when that was fetched without a change", async () => {
    data = await database();
    const host = await startMetadataServer();
    try {
      const settings = { metadataInterval: false as const, metadataNetworks: LOOPBACK };
      const client = await startApi(data, settings, { orgs: [fullOrg("demo")] });
      ({ server } = client);
      host.respond(samlMetadata({ url: "https://new.example/sso", certificates: [CERTIFICATE] }));
      const { body: made } = await client.api("/idps", { method: "POST", body: withMetadata("Corporate", host.url) });
      for (let i = 0; i < 2; i++) {
        const path = `/idps/${made.id}/lifecycle/refresh_metadata`;
        expect((await client.api(path, { method: "POST" })).status).toBe(200);
      }
      const [refreshed, created] = await revisionsOf(client);
      expect([refreshed, created]).toMatchObject([{ source: "metadata" }, { source: "api" }]);
      const { body } = await client.api(`${await policyOf(client)}/revisions/${refreshed.revision}`);
      expect(body.changes[0].patch).toContainEqual({
        op: "replace",
        path: "/protocol/endpoints/sso/url",
        value: "https://new.example/sso",
      });
      expect(body.changes[0].after).not.toHaveProperty("metadata");

      const before = (await client.api(`/idps/${made.id}`)).body;
      const restored = `${await policyOf(client)}/revisions/${created.revision}/restore`;
      expect((await client.api(restored, { method: "POST", body: {} })).body.changeCount).toBe(1);
      const after = (await client.api(`/idps/${made.id}`)).body;
      expect(after.protocol).toEqual(made.protocol);
      expect([before.metadata.lastRefreshed, after.metadata.lastRefreshed]).toEqual([expect.any(String), null]);
    } finally {
      await host.close();
    }
  });

  it("brings the demonstration back after an import took its place, with its default rule", async () => {
    data = await database();
    const client = await startApi(data, { demo: true });
    ({ server } = client);
    const [seeded] = await revisionsOf(client);
    expect(seeded).toMatchObject({ source: "import", actor: { id: "cli", displayName: "import" } });
    const namesOf = async () =>
      Promise.all(
        ["/idps", `${await policyOf(client)}/rules`].map(async (path) =>
          (await client.api(path)).body.map(({ id, name }: Record<string, string>) => [id, name]),
        ),
      );
    const before = await namesOf();
    const [first] = before[1] as [string, string][];
    const org = {
      ...fullOrg("demo"),
      domains: [],
      policyId: createId(),
      defaultRule: { id: createId(), actions: ORG },
    };
    await withStore(data.options, (store) => importText(store, JSON.stringify({ orgs: [org] })));
    expect(await namesOf()).not.toEqual(before);

    const restore = async (body: object) =>
      client.api(`${await policyOf(client)}/revisions/${seeded.revision}/restore`, { method: "POST", body });
    const conflict = await restore({ targets: [before[1].at(-1)[0]] });
    expect([conflict.status, conflict.body.errorCauses.at(-1).errorSummary]).toEqual([
      409,
      "The default rule was another one: bring both back, or all.",
    ]);
    expect((await restore({ targets: [first![0]] })).status).toBe(409); // its provider is gone
    expect((await restore({})).status).toBe(200);
    expect(await namesOf()).toEqual(before);
  });
});

const ORG = { idp: { providers: [{ type: "SVC" }] } };
