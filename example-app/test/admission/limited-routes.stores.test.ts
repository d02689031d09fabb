import type { RateClass } from "../../src/model/rate-limits.js";
import type { Store } from "../../src/store/store.js";
import { insertApiToken, listApiOperations } from "../support/api.js";
import { samlIdp } from "../support/documents.js";
import {
  buildSettings,
  call,
  startTestServer,
  webfingerPath,
  type Answer,
  type TestServer,
} from "../support/server.js";
import { describeStores } from "../support/stores.js";

/** Each another number, so that a response tells its class. None is reached here. */
const LIMITS: Readonly<Record<RateClass, number>> = {
  discovery: 10_001,
  signOn: 10_002,
  failures: 10_003,
  read: 10_004,
  write: 10_005,
  logs: 10_006,
};

const OPERATIONS = listApiOperations({
  settings: { ...buildSettings(), secrets: ["s".repeat(32)] },
  store: {} as Store,
});

const METADATA = "GET /api/v1/idps/:id/metadata.xml";

const isPublic = (operation: string) => operation === METADATA || operation.endsWith("/openapi.json");

/** What everybody may ask, and the class that counts it. */
const OPEN: [request: string, kind: RateClass | undefined][] = [
  [`GET ${webfingerPath("joe@example.com")}`, "discovery"],
  ["GET /.well-known/webfinger", "discovery"],
  ["DELETE /.well-known/webfinger", "discovery"],
  ["GET /sso/idps/SVC", "signOn"],
  ["GET /sso", "signOn"],
  ["POST /sso?iss=x", "signOn"],
  ["GET /ssox", "failures"],
  ["GET /sso/login", "signOn"],
  ["POST /sso/nothing", "signOn"],
  ["GET /api/docs", "discovery"],
  ["GET /api/docs/page.js", "discovery"],
  ["GET /api/docs/swagger-ui.css", "discovery"],
  ["PUT /api/docs", "failures"],
  ["GET /api", "failures"],
  ["GET /api/v3/users", "failures"],
  ["TRACE /api/v1/users", "failures"],
  ["OPTIONS /api/v1/nothing", "failures"],
  ["HEAD /api/v1/users", "failures"],
  ["OPTIONS /api/v1/users", undefined], // costs as little as a preflight
  ["GET /console", "discovery"],
  ["GET /console/assets/none.js", "discovery"],
  ["POST /console", "discovery"],
  ["GET /console/session", "failures"],
  ["POST /console/session", "failures"],
  ["PUT /console/session", "failures"],
  ["DELETE /console/session", "failures"],
  ["GET /", "failures"],
  ["GET /nothing", "failures"],
];

describeStores((_engine, database) => {
  let server: TestServer;
  let token: string;

  beforeEach(async () => {
    const db = await database();
    const demo = { subdomain: "demo", name: "Demo", idps: [samlIdp("Alpha")] };
    server = await startTestServer(db, { rateLimits: { window: 60, limits: LIMITS } }, { orgs: [demo] });
    token = await insertApiToken(db.options, "demo");
  });
  afterEach(() => server.close());

  const send = (request: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const [method = "", path = ""] = request.replace(/:\w+/g, "none").split(" ");
    const isPatch = method === "PATCH";
    const type = isPatch ? { "Content-Type": "application/merge-patch+json" } : {};
    return call(server, path, { method, headers: { ...type, ...headers }, ...(isPatch && { body: "{}" }) });
  };
  const classOf = ({ headers }: Answer) =>
    Object.entries(LIMITS).find(([, limit]) => headers["x-rate-limit-limit"] === String(limit))?.[0];

  test("S8 some limit counts every operation of the API, with credentials and without", async () => {
    for (const operation of OPERATIONS) {
      const ofToken = operation.includes("/logs") ? "logs" : operation.startsWith("GET") ? "read" : "write";
      const expected = isPublic(operation) ? ["discovery", "discovery"] : ["failures", ofToken];
      const answers = [await send(operation), await send(operation, { Authorization: `SVC ${token}` })];
      expect({ operation, kinds: answers.map(classOf) }).toEqual({ operation, kinds: expected });
    }
  });

  test("S8 some limit counts every other request", async () => {
    for (const [request, kind] of OPEN) {
      expect({ request, kind: classOf(await send(request)) }).toEqual({ request, kind });
    }
  });

  test("S8 requests to hosts without an org are counted for their address", async () => {
    const answer = await send("GET /", { Host: "nobody.localhost" });
    expect([answer.status, classOf(answer)]).toEqual([404, "failures"]);
  });
});
