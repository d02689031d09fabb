import { setTimeout as sleep } from "node:timers/promises";
import { DEFAULT_RATE_LIMIT_SETTINGS, DEFAULT_RATE_LIMITS, type RateLimits } from "../../src/model/rate-limits.js";
import { suspendOrg } from "../../src/program/operations/orgs.js";
import type { Settings } from "../../src/program/settings/settings.js";
import { createClient, insertApiToken, type ApiClient } from "../support/api.js";
import { trustedOrigin } from "../support/documents.js";
import {
  call,
  importDocument,
  startTestServer,
  webfingerPath,
  type Answer,
  type TestServer,
} from "../support/server.js";
import { describePostgres, describeStores, type TestDatabase } from "../support/stores.js";
import { until } from "../../../test/support/until.js";
import { patient } from "../../../test/support/patience.js";

const WEBFINGER = webfingerPath("joe@example.com");
const SAML = {
  name: "Corporate",
  id: "0oaCorporate00000000",
  type: "SAML2",
  protocol: { type: "SAML2", endpoints: { sso: { url: "https://idp.example/sso", binding: "HTTP-POST" } } },
};
const ORGS = ["demo", "other"].map((subdomain) => ({
  subdomain,
  name: subdomain,
  idps: [SAML],
  trustedOrigins: [trustedOrigin("Console")],
}));
const ORIGIN = "https://console.example.com";

const PROXIED: Partial<Settings> = { http: true, trustedProxies: ["loopback"] };

const limited = (limits: Partial<RateLimits> = {}, window = 60): Pick<Settings, "rateLimits"> => ({
  rateLimits: { window, limits: { ...DEFAULT_RATE_LIMITS, ...limits } },
});

/** One node, also when `TEST_NODES` asks for more: how several share a limit has a test of its own. */
async function startOne(
  database: TestDatabase,
  settings: Partial<Settings>,
  orgs: unknown[] = ORGS,
): Promise<TestServer> {
  const server = await startTestServer(database, settings, { orgs });
  return { ...server, nextPort: () => server.port };
}

const startClient = async (database: TestDatabase, server: TestServer, org = "demo"): Promise<ApiClient["api"]> =>
  createClient(server, org, await insertApiToken(database.options, org)).api;

const remainingOf = ({ headers }: Answer): number => Number(headers["x-rate-limit-remaining"]);

function expectRefusal({ status, headers, body }: Answer, limit: number): void {
  expect({ status, code: body.errorCode }).toEqual({ status: 429, code: "E0000047" });
  expect(headers).toMatchObject({ "x-rate-limit-limit": String(limit), "x-rate-limit-remaining": "0" });
  const wait = Number(headers["x-rate-limit-reset"]) - Date.parse(String(headers.date)) / 1000;
  expect(Math.abs(Number(headers["retry-after"]) - wait)).toBeLessThanOrEqual(1); // both are rounded to seconds
  expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
  expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60);
  expect(body.errorId).toBe(headers["x-svc-request-id"]);
}

/** Sends requests until the limit and one more; the responses within the limit. */
async function exceed(send: () => Promise<Answer>, limit: number): Promise<Answer[]> {
  const passed: Answer[] = [];
  for (let i = 1; i <= limit; i++) {
    const answer = await send();
    expect(answer.status).not.toBe(429);
    expect(remainingOf(answer)).toBe(limit - i);
    expect(answer.headers["x-rate-limit-limit"]).toBe(String(limit));
    passed.push(answer);
  }
  expectRefusal(await send(), limit);
  return passed;
}

describeStores((_engine, database) => {
  let db: TestDatabase;
  let server: TestServer;
  const start = async (settings: Partial<Settings>, orgs?: unknown[]): Promise<void> => {
    db = await database();
    server = await startOne(db, settings, orgs);
  };
  afterEach(() => server.close());

  const hostOf = (org: string) => ({ Host: `${org}.localhost:${server.port}` });
  const from = (address: string, org = "demo") => ({
    ...hostOf(org),
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": address,
  });

  test("S8 every response says what is left, with the limits that are on by default", async () => {
    await start({ rateLimits: DEFAULT_RATE_LIMIT_SETTINGS });
    const api = await startClient(db, server);
    const before = Math.floor(Date.now() / 1000);
    const answers: [Answer, number][] = [
      [await call(server, WEBFINGER), 6_000],
      [await call(server, "/.well-known/webfinger"), 6_000],
      [await call(server, "/sso/idps/SVC"), 600],
      [await call(server, "/sso/idps/none"), 600],
      [await call(server, "/api/v1/users"), 300],
      [await call(server, "/api/v3/users"), 300],
      [await call(server, "/nothing"), 300],
      [await api("/users"), 3_000],
      [await api("/users/none"), 3_000],
      [await api("/zones", { method: "POST", body: {} }), 600],
      [await api("/users", { headers: { Accept: "text/html" } }), 300],
      [await api("/logs"), 300],
    ];
    for (const [{ headers }, limit] of answers) {
      expect(headers["x-rate-limit-limit"]).toBe(String(limit));
      expect(Number(headers["x-rate-limit-remaining"])).toBeLessThan(limit);
      const reset = Number(headers["x-rate-limit-reset"]);
      expect(reset).toBeGreaterThan(before);
      expect(reset).toBeLessThanOrEqual(before + 70);
      expect(headers["retry-after"]).toBeUndefined();
    }
  });

  test("S8 discovery: an address passes n times, and then is 429 for WebFinger and metadata", async () => {
    await start(limited({ discovery: 3 }));
    const answers = await exceed(() => call(server, WEBFINGER), 3);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expectRefusal(await call(server, `/api/v1/idps/${SAML.id}/metadata.xml`), 3);
    const page = await call(server, WEBFINGER, { headers: { Origin: ORIGIN } });
    expectRefusal(page, 3);
    expect(page.headers["access-control-allow-origin"]).toBe("*");
    expect((await call(server, WEBFINGER, { method: "OPTIONS" })).status).toBe(204);
    expect((await call(server, "/sso/idps/SVC")).status).toBe(200);
  });

  test("S8 signOn: an address passes n times, and then is 429", async () => {
    await start(limited({ signOn: 2 }));
    await exceed(() => call(server, "/sso/idps/SVC"), 2);
    expectRefusal(await call(server, "/sso/login?login=joe"), 2);
    expect((await call(server, WEBFINGER)).status).toBe(200);
  });

  test("S8 failures: an address whose tokens are refused n times is 429 before its next token is looked at", async () => {
    await start(limited({ failures: 3 }));
    const api = await startClient(db, server);
    await api("/users"); // counts for the token
    const wrong = { headers: { ...hostOf("demo"), Authorization: "SVC wrong" } };
    const answers = await exceed(() => call(server, "/api/v1/users", wrong), 3);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expectRefusal(await api("/users"), 3);
    expectRefusal(await call(server, "/nothing"), 3);
    expect((await call(server, WEBFINGER)).status).toBe(200);
  });

  test.each([
    ["read", "/users", {}],
    ["write", "/zones", { method: "POST", body: {} }],
    ["logs", "/logs?limit=0", {}],
  ] as const)("S8 %s: a token passes n times, and then is 429", async (kind, path, options) => {
    await start(limited({ [kind]: 3 }));
    const api = await startClient(db, server);
    await exceed(() => api(path, options), 3);
    for (const other of ["/idps", "/logs?limit=0"]) {
      const isSame = other.startsWith("/logs") ? kind === "logs" : kind === "read";
      expect((await api(other)).status).toBe(isSame ? 429 : 200);
    }
    expect((await (await startClient(db, server))(path, options)).status).not.toBe(429); // another token
  });

  test("S8 a token that lacks the scope is counted, and its refusal is 429 too", async () => {
    await start(limited({ read: 2 }));
    const { api } = createClient(server, "demo", await insertApiToken(db.options, "demo", ["zones.read"]));
    const answers = await exceed(() => api("/users"), 2);
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  });

  test("S8 the tokens of an org together pass four times as often as one, and take nothing from another org", async () => {
    await start(limited({ read: 2 }));
    const clients = await Promise.all(Array.from({ length: 5 }, () => startClient(db, server)));
    for (const api of clients.slice(0, 4)) {
      expect((await api("/users")).status).toBe(200);
      expect((await api("/users")).status).toBe(200);
      expectRefusal(await api("/users"), 2); // a request over the limit of its token does not count for the org
    }
    expectRefusal(await clients[4]!("/users"), 8);
    const other = await startClient(db, server, "other");
    expect(await other("/users")).toMatchObject({ status: 200, headers: { "x-rate-limit-remaining": "1" } });
  });

  test("S8 a token of another org counts for the address, not for the org that is asked", async () => {
    await start({ ...PROXIED, ...limited({ failures: 2, read: 1 }) });
    const token = await insertApiToken(db.options, "other");
    const stranger = { headers: { ...from("192.0.2.1"), Authorization: `SVC ${token}` } };
    await exceed(() => call(server, "/api/v1/users", stranger), 2);
    const own = await insertApiToken(db.options, "demo");
    const client = { headers: { ...from("192.0.2.2"), Authorization: `SVC ${own}` } };
    expect((await call(server, "/api/v1/users", client)).status).toBe(200);
  });

  test("S8 the address is the one behind the trusted proxies; an IPv6 network of 64 bits is one client", async () => {
    await start({ ...PROXIED, ...limited({ discovery: 1 }) });
    const ask = (address: string, org?: string) => call(server, WEBFINGER, { headers: from(address, org) });
    expect((await ask("192.0.2.1")).status).toBe(200);
    expectRefusal(await ask("192.0.2.1"), 1);
    expectRefusal(await ask("198.51.100.9, 192.0.2.1"), 1); // what the client claims does not count
    expectRefusal(await ask("::ffff:192.0.2.1"), 1);
    expectRefusal(await ask("192.0.2.1", "other"), 1); // the orgs share the addresses
    expect((await ask("192.0.2.2")).status).toBe(200);
    expect((await ask("2001:db8::1")).status).toBe(200);
    expectRefusal(await ask("2001:db8::ffff:0:0:1"), 1);
    expect((await ask("2001:db8:0:1::1")).status).toBe(200);
  });

  test("S8 an IPv6 network of 48 bits passes four times as often as one client", async () => {
    await start({ ...PROXIED, ...limited({ discovery: 2 }) });
    const ask = (address: string) => call(server, WEBFINGER, { headers: from(address) });
    for (let i = 1; i <= 4; i++) {
      for (let round = 0; round < 2; round++) expect((await ask(`2001:db8:0:${i}::1`)).status).toBe(200);
      expectRefusal(await ask(`2001:db8:0:${i}::1`), 2); // does not count for the network
    }
    expectRefusal(await ask("2001:db8:0:5::1"), 8);
    expect((await ask("2001:db8:1::1")).status).toBe(200);
    expect((await ask("192.0.2.1")).status).toBe(200);
  });

  test("S8 failures: an address that asks for hosts without an org n times is 429 before another host is looked up", async () => {
    await start({ ...PROXIED, ...limited({ failures: 3 }) });
    const ask = (address: string, host: string) =>
      call(server, WEBFINGER, { headers: { ...from(address), Host: host } });
    const unknown = await exceed(() => ask("192.0.2.1", `${Math.random()}.localhost`), 3);
    expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404]);
    expectRefusal(await ask("192.0.2.1", "demo.localhost"), 3);
    expect((await ask("192.0.2.2", "demo.localhost")).status).toBe(200);
    expect((await ask("192.0.2.2", "nobody.localhost")).status).toBe(404);
  });

  test("S8 failures: the tokens of a suspended org are looked up n times for an address", async () => {
    await start(limited({ failures: 2 }));
    const token = await insertApiToken(db.options, "other");
    await suspendOrg(await db.open(), { org: "other", defaultOrg: "demo" });
    const { api } = createClient(server, "other", token);
    await until(async () => (await api("/users")).status !== 200);
    await api("/users");
    expectRefusal(await api("/users"), 2);
  });

  test("S8 addresses that only an org's own proxies report count in that org, and all together have a limit", async () => {
    const proxy = { type: "RANGE", value: "203.0.113.1" };
    const [demo, other] = ORGS;
    await start({ ...PROXIED, ...limited({ discovery: 2 }) }, [
      { ...demo, zones: [{ name: "Office", proxies: [proxy] }] },
      other,
    ]);
    const ask = (address: string, org?: string) => call(server, WEBFINGER, { headers: from(address, org) });
    for (let i = 1; i <= 8; i++) expect((await ask(`192.0.2.${i}, 203.0.113.1`)).status).toBe(200);
    expectRefusal(await ask("192.0.2.9, 203.0.113.1"), 8);
    expect((await ask("192.0.2.1")).status).toBe(200);
    expect((await ask("192.0.2.1", "other")).status).toBe(200);
    expectRefusal(await ask("192.0.2.1", "other"), 2);
  });

  test("S8 RateLimit and RateLimit-Policy have the limit of the token and that of its org", async () => {
    await start(limited({ read: 5 }, 30));
    const { headers } = await (await startClient(db, server))("/users");
    expect(headers["ratelimit-policy"]).toBe('"read token";q=5;w=30, "read org";q=20;w=30');
    expect(headers["ratelimit"]).toMatch(/^"read token";r=4;t=(?:30|29), "read org";r=19;t=(?:30|29)$/);
    expect(headers["x-rate-limit-remaining"]).toBe("4");
  });

  test("S8 preflights are not counted, and a page can read a refusal", async () => {
    await start(limited({ read: 1, failures: 1 }));
    const api = await startClient(db, server);
    const preflight = { Origin: ORIGIN, "Access-Control-Request-Method": "GET" };
    for (let i = 0; i < 3; i++) {
      const { status, headers } = await api("/users", { method: "OPTIONS", headers: preflight });
      expect({ status, limit: headers["x-rate-limit-limit"] }).toEqual({ status: 204, limit: undefined });
    }
    await api("/users");
    const answer = await api("/users", { headers: { Origin: ORIGIN } });
    expectRefusal(answer, 1);
    expect(answer.headers["access-control-allow-origin"]).toBe(ORIGIN);
    expect(answer.headers["access-control-expose-headers"]).toContain("X-Rate-Limit-Reset,RateLimit,RateLimit-Policy");
  });

  test("S8 after Retry-After a client passes again", async () => {
    await start(limited({ discovery: 2 }, 1));
    await exceed(() => call(server, WEBFINGER), 2);
    const { headers } = await call(server, WEBFINGER);
    await sleep(Number(headers["retry-after"]) * 1000);
    expect(await call(server, WEBFINGER)).toMatchObject({ status: 200, headers: { "x-rate-limit-remaining": "1" } });
  });

  test("S8 D2 the first refusal of a window is an event, and the others of the window are none", async () => {
    await start(limited({ write: 1 }));
    const api = await startClient(db, server);
    const write = () => api("/zones", { method: "POST", body: {} });
    await write();
    const refusals = [await write(), await write(), await write()];
    await server.close();

    const store = await db.open();
    const rows = await store.reader
      .selectFrom("log_entries")
      .select(["event_type", "severity", "request_id"])
      .select((eb) => eb.ref("outcome_reason" as never).as("reason"))
      .select((eb) => eb.ref("displayMessage" as never).as("message"))
      .orderBy("sequence")
      .execute();
    const ids = refusals.map(({ headers }) => headers["x-svc-request-id"]);
    expect(rows.filter(({ request_id }) => ids.includes(request_id))).toEqual([
      {
        event_type: "system.operation.rate_limit.violation",
        severity: "WARN",
        request_id: ids[0],
        reason:
          "E0000047: API call exceeded rate limit due to too many requests. The limit of write is 1 for this token.",
        message: "Rate limit exceeded",
      },
    ]);
    expect(server.lines.filter(({ requestId }) => ids.includes(String(requestId)))).toHaveLength(3);
  });

  test("S8 an org has limits of its own from an import, at once and with a count of its own", async () => {
    await start(limited({ discovery: 1, read: 1 }));
    expect((await call(server, WEBFINGER, { headers: hostOf("demo") })).status).toBe(200);
    expectRefusal(await call(server, WEBFINGER, { headers: hostOf("demo") }), 1);
    const [demo] = ORGS;
    await importDocument(db.options, { orgs: [{ ...demo, rateLimits: { discovery: 2, read: 3 } }] });
    const deadline = Date.now() + patient(10_000);
    let answer: Answer;
    do {
      answer = await call(server, WEBFINGER, { headers: hostOf("demo") });
    } while (answer.status === 429 && Date.now() < deadline);
    expect(answer).toMatchObject({ status: 200, headers: { "x-rate-limit-limit": "2" } });
    expect((await call(server, WEBFINGER, { headers: hostOf("demo") })).status).toBe(200);
    expectRefusal(await call(server, WEBFINGER, { headers: hostOf("demo") }), 2);
    expectRefusal(await call(server, WEBFINGER, { headers: hostOf("other") }), 1);
    const api = await startClient(db, server);
    await exceed(() => api("/users"), 3);
  });

  test("S8 without limits nothing is counted and no response has the fields", async () => {
    await start({ rateLimits: null });
    const api = await startClient(db, server);
    for (const answer of [await call(server, WEBFINGER), await call(server, "/nothing"), await api("/users")]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("x-rate-limit"))).toEqual([]);
    }
  });
});

describePostgres((_engine, database) => {
  test("S8 two nodes share the limits, but for a slice of the second one", async () => {
    const db = await database();
    const settings = limited({ read: 40 });
    const first = await startOne(db, settings);
    const second = await startOne(db, settings);
    try {
      const token = await insertApiToken(db.options, "demo");
      const clients = [first, second].map((server) => createClient(server, "demo", token));
      const store = await db.open();
      let passed = 0;
      for (const [pause, { api }] of clients.entries()) {
        let answer = await api("/users");
        for (; answer.status === 200; answer = await api("/users")) {
          passed++;
          await sleep(200 * pause); // until the second node has heard of the first
        }
        expectRefusal(answer, 40);
        await sleep(200); // until the node has told the others
      }
      expect(passed).toBeGreaterThanOrEqual(40);
      expect(passed).toBeLessThanOrEqual(42);
      const { count } = await store.reader
        .selectFrom("rate_counts" as never)
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      expect(count).toBe(2); // the token and the org
    } finally {
      await first.close();
      await second.close();
    }
  });
});
