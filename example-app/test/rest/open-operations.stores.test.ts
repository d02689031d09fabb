import { exchange, parseAnswer, type Answer } from "../../../test/support/raw-socket.js";
import type { Store } from "../../src/store/store.js";
import { describeApi, listApiOperations, type ApiClient, type TestOrg } from "../support/api.js";
import { buildSettings } from "../support/server.js";

const ORIGIN = "https://console.example.com";

/** What pages of trusted origins may use; everything else is closed to them. */
const OPEN = [
  "GET /api/v1/idps",
  "GET /api/v1/idps/:id",
  "GET /api/v1/idps/:id/metadata.xml",
  "GET /api/v1/logs",
  "GET /api/v1/policies",
  "GET /api/v1/policies/:policyId",
  "GET /api/v1/policies/:policyId/decisions",
  "GET /api/v1/policies/:policyId/routingTests",
  "GET /api/v1/policies/:policyId/routingTests/:testId",
  "GET /api/v1/policies/:policyId/routingTests/results",
  "GET /api/v1/policies/:policyId/rules",
  "GET /api/v1/policies/:policyId/rules/:ruleId",
  "GET /api/v1/policies/:policyId/trace",
  ...["v1", "v2"].flatMap((version) => [
    `GET /api/${version}/openapi.json`,
    `GET /api/${version}/users`,
    `POST /api/${version}/users`,
    `GET /api/${version}/users/:id`,
    `POST /api/${version}/users/:id`,
    `PUT /api/${version}/users/:id`,
    `PATCH /api/${version}/users/:id`,
    `DELETE /api/${version}/users/:id`,
    `POST /api/${version}/users/:id/lifecycle/activate`,
    `POST /api/${version}/users/:id/lifecycle/reactivate`,
    `POST /api/${version}/users/:id/lifecycle/deactivate`,
    `POST /api/${version}/users/:id/lifecycle/suspend`,
    `POST /api/${version}/users/:id/lifecycle/unsuspend`,
    `POST /api/${version}/users/:id/lifecycle/unlock`,
    `POST /api/${version}/users/:id/lifecycle/expire_password`,
    `POST /api/${version}/users/:id/lifecycle/confirm_password`,
  ]),
];

const OPERATIONS = listApiOperations({
  settings: { ...buildSettings(), secrets: ["s".repeat(32)] },
  store: {} as Store,
});

/** Requests that are refused before an operation runs, or early in it. Text is latin1. */
const REFUSED: readonly [status: number, what: string, request: (path: string) => string][] = [
  [400, "a user agent that is not UTF-8", (path) => `GET ${path} HTTP/1.1\r\nUser-Agent: \xff`],
  [400, "a query that is not UTF-8", (path) => `GET ${path}?q=%FF HTTP/1.1`],
  [400, "a malformed query", (path) => `GET ${path}?q=% HTTP/1.1`],
  [400, "a path that is not UTF-8", (path) => `GET ${path}/%FF HTTP/1.1`],
  [400, "a malformed path", (path) => `GET ${path}/% HTTP/1.1`],
  [411, "no length", (path) => `POST ${path} HTTP/1.1`],
  [406, "no acceptable type", (path) => `GET ${path} HTTP/1.1\r\nAccept: text/html`],
  [415, "another type of body", (path) => `POST ${path} HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 0`],
  [413, "a body that is too long", (path) => `POST ${path} HTTP/1.1\r\n${JSON_BODY}\r\nContent-Length: 1048577`],
  [400, "a body that is not JSON", (path) => `POST ${path} HTTP/1.1\r\n${JSON_BODY}\r\nContent-Length: 1\r\n\r\n{`],
];
const JSON_BODY = "Content-Type: application/json";

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];

  beforeEach(async () => {
    org = await openOrg();
    ({ api } = org);
    const scopes = [{ type: "CORS" }];
    await api("/trustedOrigins", { method: "POST", body: { name: "Console", origin: ORIGIN, scopes } });
  });

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

  /** Send a request line and fields, maybe with a body, as a page of `origin`. */
  async function sendRaw(request: string, origin = ORIGIN): Promise<Answer> {
    const [line = "", ...rest] = request.split("\r\n");
    const fields = `Host: ${org.subdomain}.localhost\r\nOrigin: ${origin}\r\nAuthorization: SVC ${org.token}\r\nConnection: close`;
    const end = request.includes("\r\n\r\n") ? "" : "\r\n\r\n";
    return parseAnswer(await exchange(org.server.port, [line, fields, ...rest].join("\r\n") + end, { tls: true }));
  }

  const corsOf = ({ headers }: Answer) => [headers["access-control-allow-origin"], headers["vary"]?.split(", ")[0]];

  test.each(REFUSED)("O3 a page can read %i for %s, of an open operation only", async (status, _what, request) => {
    const open = await sendRaw(request("/api/v1/users"));
    expect([open.status, ...corsOf(open)]).toEqual([status, ORIGIN, "Origin"]);
    expect(open.headers["access-control-expose-headers"]).toContain("X-Svc-Request-Id");
    const denied = await sendRaw(request("/api/v1/users"), "https://evil.example");
    expect([denied.status, ...corsOf(denied)]).toEqual([status, undefined, "Origin"]);
    const closed = await sendRaw(request("/api/v1/zones"));
    expect([closed.status, ...corsOf(closed)]).toEqual([status, undefined, "Origin"]);
  });

  test("O3 a preflight is granted also for a target that is then refused", async () => {
    const preflight = (path: string) => sendRaw(`OPTIONS ${path} HTTP/1.1\r\nAccess-Control-Request-Method: GET`);
    for (const path of ["/api/v1/users?q=%FF", "/api/v1/users/%FF", "/api/v1/users/%", "/api/v2/users/%"]) {
      expect(await preflight(path)).toMatchObject({ status: 204, headers: { "access-control-allow-methods": "GET" } });
    }
    for (const [path, status] of [
      ["/api/v1/zones/%FF", 403],
      ["/api/v1/nothing/%FF", 400],
      ["/api/v1/nothing", 404],
      ["/api/v1/users/", 404],
      ["/api/v1/Users", 404],
      ["/api/v1/idps/x/metadataQxml", 404],
    ] as const) {
      const answer = await preflight(path);
      expect({ path, status: answer.status, cors: corsOf(answer) }).toEqual({
        path,
        status,
        cors: [undefined, "Origin"],
      });
    }
  });

  test("O1 pages may set the fields that every operation reads", async () => {
    const asked = { "Access-Control-Request-Method": "GET" };
    const fields = "accept, authorization, content-type, dpop, if-none-match, x-device-fingerprint";
    const { status, headers } = await ask(
      "GET /api/v1/users",
      { ...asked, "Access-Control-Request-Headers": fields },
      "OPTIONS",
    );
    expect(status).toBe(204);
    expect(headers["access-control-allow-headers"]?.toLowerCase().split(",").sort()).toEqual(fields.split(", "));
  });

  test("F4 a selection that an operation does not have is refused, and not taken for all", async () => {
    const refused = async (path: string) => {
      const { status, body } = await api(path);
      return { status, code: body.errorCode, causes: body.errorCauses };
    };
    for (const [path, name] of [
      ["/zones?filter=name%20eq%20%22x%22", "filter"],
      ["/zones?search=x", "search"],
      ["/apiTokens?q=x", "q"],
      ["/idps?%66ilter", "filter"],
      ["/users/unknown?filter=x", "filter"],
      ["/logs?search=x", "search"],
    ] as const) {
      const causes = [{ errorSummary: `${name} is not supported here.` }];
      expect({ path, ...(await refused(path)) }).toEqual({ path, status: 400, code: "E0000094", causes });
    }
    for (const path of ["/zones?filters=x", "/users?q=x", "/logs?q=x", "/zones?limit=2"]) {
      expect({ path, status: (await api(path)).status }).toEqual({ path, status: 200 });
    }
  });

  test("O1 an unknown path and a method that a path does not have are closed", async () => {
    for (const [request, status] of [
      ["GET /api/v1/nothing", 404],
      ["GET /api/v3/users", 404],
      ["GET /api/v1/nothing?q=%FF", 400],
      ["DELETE /api/v1/users", 405],
    ] as const) {
      const answer = await sendRaw(`${request} HTTP/1.1`);
      expect([answer.status, ...corsOf(answer)]).toEqual([status, undefined, "Origin"]);
    }
  });
});
