import type { Store } from "../../src/store/store.js";
import { listApiOperations, startApi, type ApiClient } from "../support/api.js";
import { fullOrg } from "../support/documents.js";
import { buildSettings, call, webfingerPath, type Answer, type TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

const OPERATIONS = listApiOperations({
  settings: { ...buildSettings(), secrets: ["s".repeat(32)] },
  store: {} as Store,
});

const PREFLIGHT = { Origin: "https://console.example.com", "Access-Control-Request-Method": "GET" };

describeStores((_engine, database) => {
  let server: TestServer;
  let api: ApiClient["api"];

  beforeEach(async () => {
    const demo = { ...fullOrg("demo"), domains: [] };
    ({ server, api } = await startApi(await database(), {}, { orgs: [demo] }));
  });
  afterEach(() => server.close());

  const cachingOf = ({ status, headers }: Answer) => ({ status, caching: headers["cache-control"] });

  test("no cache keeps a response with data of an org, whatever the operation and its outcome", async () => {
    for (const operation of OPERATIONS) {
      if (operation.endsWith("/openapi.json")) continue; // it has no data of an org
      const [method = "", template = ""] = operation.split(" ");
      for (const headers of [{}, { Authorization: "SVC unknown" }]) {
        const answer = await api(`https://host${template.replace(/:\w+/g, "none")}`, { method, headers });
        const caching = answer.status < 400 ? "private, no-store" : "no-store";
        expect({ operation, ...cachingOf(answer) }).toEqual({ operation, status: answer.status, caching });
      }
    }
    const created = await api("/zones", { method: "POST", body: { name: "New" } });
    const { href } = created.body._links.self;
    const [{ id }] = (await api("/idps?type=SAML2")).body;
    for (const [status, answer] of [
      [200, created],
      [200, await api(href)],
      [200, await api("/policies?type=IDP_DISCOVERY")],
      [200, await api(`/idps/${id}/metadata.xml`)],
      [204, await api(href, { method: "DELETE" })],
      [204, await api("/users", { method: "OPTIONS", headers: PREFLIGHT })],
    ] as const) {
      expect(cachingOf(answer)).toEqual({ status, caching: "private, no-store" });
    }
    expect(cachingOf(await api("/nothing"))).toEqual({ status: 404, caching: "no-store" });
  });

  test("T6 a 304 has the fields of the 200, and the next request is answered as before", async () => {
    const [{ id }] = (await api("/users")).body;
    const { headers } = await api(`/users/${id}`);
    for (let round = 0; round < 2; round++) {
      const unchanged = await api(`/users/${id}`, { headers: { "If-None-Match": String(headers.etag) } });
      expect(unchanged).toMatchObject({
        status: 304,
        text: "",
        headers: { "cache-control": "private, no-store", etag: headers.etag },
      });
    }
  });

  test("WebFinger has its own field", async () => {
    const { headers } = await call(server, webfingerPath("joe"));
    expect(headers["cache-control"]).toBe("no-store");
  });
});
