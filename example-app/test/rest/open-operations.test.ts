import type { Store } from "../../src/store/store.js";
import { listApiOperations, startApi } from "../support/api.js";
import { buildSettings, type TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

const ORIGIN = "https://console.example.com";

/** What pages of trusted origins may use; everything else is closed to them. */
const OPEN = [
  "GET /api/v1/idps",
  "GET /api/v1/idps/:id",
  "GET /api/v1/idps/:id/metadata.xml",
  "GET /api/v1/logs",
  "GET /api/v1/policies",
  "GET /api/v1/policies/:policyId",
  "GET /api/v1/policies/:policyId/rules",
  "GET /api/v1/policies/:policyId/rules/:ruleId",
  "GET /api/v1/policies/:policyId/trace",
  "GET /api/v1/users",
  "POST /api/v1/users",
  "GET /api/v1/users/:id",
  "POST /api/v1/users/:id",
  "PUT /api/v1/users/:id",
  "PATCH /api/v1/users/:id",
  "DELETE /api/v1/users/:id",
  "POST /api/v1/users/:id/lifecycle/activate",
  "POST /api/v1/users/:id/lifecycle/reactivate",
  "POST /api/v1/users/:id/lifecycle/deactivate",
  "POST /api/v1/users/:id/lifecycle/suspend",
  "POST /api/v1/users/:id/lifecycle/unsuspend",
  "POST /api/v1/users/:id/lifecycle/unlock",
  "POST /api/v1/users/:id/lifecycle/expire_password",
  "GET /api/v2/users",
  "GET /api/v2/users/:id",
];

const OPERATIONS = listApiOperations({
  settings: { ...buildSettings(), secrets: ["s".repeat(32)] },
  store: {} as Store,
});

describeStores((_engine, database) => {
  let server: TestServer;
  let api: Awaited<ReturnType<typeof startApi>>["api"];

  beforeEach(async () => {
    ({ server, api } = await startApi(await database()));
    const scopes = [{ type: "CORS" }];
    await api("/trustedOrigins", { method: "POST", body: { name: "Console", origin: ORIGIN, scopes } });
  });
  afterEach(() => server.close());

  const ask = (operation: string, headers: Record<string, string> = {}, method = operation.split(" ")[0] ?? "") =>
    api(`https://host${operation.replace(/^\S+ /, "").replace(/:\w+/g, "unknown")}`, {
      method,
      headers: { Origin: ORIGIN, ...headers },
    });

  test("O1 pages of a trusted origin get preflights granted for these operations and no others", async () => {
    const granted: string[] = [];
    for (const operation of OPERATIONS) {
      const asked = { "Access-Control-Request-Method": operation.split(" ")[0] ?? "" };
      const { status, headers, body } = await ask(operation, asked, "OPTIONS");
      expect(headers["vary"]).toMatch(/\bOrigin\b/);
      if (headers["access-control-allow-origin"] === undefined) {
        expect({ operation, status, code: body.errorCode }).toEqual({ operation, status: 403, code: "E0000212" });
      } else {
        expect({ operation, status }).toEqual({ operation, status: 204 });
        granted.push(operation);
      }
    }
    expect(granted.sort()).toEqual([...OPEN].sort());
  });

  test("O1 O3 they can read the responses of these operations and no others, refusals included", async () => {
    const readable: string[] = [];
    for (const operation of OPERATIONS) {
      const { headers } = await ask(operation, { Authorization: "SVC unknown" });
      expect(headers["vary"]).toMatch(/\bOrigin\b/);
      if (headers["access-control-allow-origin"] === ORIGIN) readable.push(operation);
    }
    expect(readable.sort()).toEqual([...OPEN].sort());
  });
});
