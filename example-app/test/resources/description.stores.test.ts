import { createClient, insertApiToken } from "../support/api.js";
import { call, startTestServer, type TestServer } from "../support/server.js";
import { createDescriptions } from "../support/descriptions.js";
import { describeStores, type TestDatabase } from "../support/stores.js";

const DESCRIPTIONS = createDescriptions();

describeStores((_engine, database) => {
  let db: TestDatabase;
  let server: TestServer;
  beforeEach(async () => {
    db = await database();
    server = await startTestServer(db);
  });
  afterEach(() => server.close());

  test("what the description gives as examples is accepted", async () => {
    const client = createClient(server, "demo", await insertApiToken(db.options, "demo"));
    const [{ id: policyId }] = (await client.api("/policies?type=IDP_DISCOVERY")).body;
    const accepted: string[] = [];
    for (const { paths, ...rest } of Object.values(DESCRIPTIONS)) {
      const { schemas } = rest["components"] as { schemas: Record<string, { examples?: unknown[] }> };
      for (const [path, { post }] of Object.entries(paths)) {
        const { requestBody }: { requestBody?: object } = post ?? {};
        const [, name = ""] = /schemas\/(\w+)"/.exec(JSON.stringify(requestBody)) ?? [];
        const [body] = schemas[name]?.examples ?? [];
        const url = `https://host${path.replace("{policyId}", policyId)}`;
        if (body === undefined || url.includes("{")) continue;
        const own =
          name === "UserInput" ? JSON.stringify(body).replaceAll("ann@", `${String(accepted.length)}@`) : body;
        expect(await client.api(url, { method: "POST", body: own })).toMatchObject({ status: 200 });
        accepted.push(name);
      }
    }
    expect(accepted).toHaveLength(11);
  });

  test("everybody can read the descriptions, and caches keep them", async () => {
    for (const [version, description] of Object.entries(DESCRIPTIONS)) {
      const path = `/api/${version}/openapi.json`;
      const { status, headers, text } = await call(server, path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "content-type": "application/json; charset=utf-8",
        "cache-control": "public, max-age=3600",
        etag: expect.stringMatching(/^"[^"]+"$/) as string,
      });
      expect(text).toBe(JSON.stringify(description));
      const again = await call(server, path, { headers: { "If-None-Match": String(headers.etag) } });
      expect(again).toMatchObject({ status: 304, text: "", headers: { etag: headers.etag } });
    }
  });
});
