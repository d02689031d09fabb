import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { parseRateLimits } from "../../src/program/settings/rate-limits.js";
import { callAdmin, scrape, scrapeUntil, sumOf, type Sample } from "../support/metrics.js";
import { call, startTestServer, webfingerPath, type TestServer } from "../support/server.js";
import { makeFolder } from "../support/stores.js";
import { until } from "../../../test/support/until.js";

const JOE = webfingerPath("joe@example.com");
const HTTP = { http: true, trustedProxies: ["loopback"] };
const SECURE = { "X-Forwarded-Proto": "https" };

const running: TestServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(
  database: Parameters<typeof startTestServer>[0],
  overrides: Parameters<typeof startTestServer>[1] = {},
): Promise<TestServer> {
  const server = await startTestServer(database, { adminPort: 0, ...HTTP, ...overrides });
  running.push(server);
  return server;
}

const requestsOf = (samples: Sample[], labels = {}): number => sumOf(samples, "etiquette_requests_total", labels);
const refusalsOf = (samples: Sample[], reason: string): number =>
  sumOf(samples, "etiquette_refusals_total", { reason });

describe("with SQLite", () => {
  const parent = makeFolder();
  const database = () => ({ options: { dataFolder: mkdtempSync(join(parent, "data-")) } });

  test("no request of a client makes a label of its own", async () => {
    const server = await start(database());
    const paths = (i: number) => [
      `/api/v1/users/user-${i}`,
      `/api/v1/none-${i}`,
      `/api/v${i}/users`,
      `/sso/idps/${i}`,
      `/sso/${i}/x`,
      `/${i}`,
      `/api/v1/users?filter=${i}`,
      `/.well-known/webfinger${i}`,
      webfingerPath(`user-${i}@example.com`),
      `http://host-${i}.example/api/v1/users`,
    ];
    const methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "M-SEARCH", "LINK"];
    const send = async (i: number) => {
      for (const [j, path] of paths(i).entries()) {
        const Host = path.startsWith("http:") ? `host-${i}.example` : [`org-${i}.localhost`, "localhost"][j % 2]!;
        for (const method of methods) await call(server, path, { method, headers: { ...SECURE, Host } });
      }
    };
    for (let i = 3; i < 5; i++) await send(i);
    const known = await scrapeUntil(server, (all) => requestsOf(all) >= 200);
    for (let i = 5; i < 9; i++) await send(i);
    const samples = await scrapeUntil(server, (all) => requestsOf(all) >= 600);
    const series = (all: Sample[]) =>
      all
        .filter(({ name }) => /_requests_total|_request_duration_|_refusals_/.test(name))
        .map(({ labels }) => JSON.stringify(labels));
    expect(series(samples)).toEqual(series(known));
    expect(JSON.stringify(samples)).not.toMatch(/user-|host-|org-|none-|demo|joe|PROPFIND/);
  });

  test.each([
    [["demo"], 2],
    [["acme"], 0],
    [[], 0],
  ])("the decisions of the orgs %j are counted: %i", async (metricsOrgs, count) => {
    const server = await start(database(), { metricsOrgs });
    for (const path of [JOE, "/sso/login?login=joe@example.com", "/sso/idps/SVC"]) {
      await call(server, path, { headers: SECURE });
    }
    const samples = await scrapeUntil(server, (all) => requestsOf(all) >= 3);
    const decisions = samples.filter(({ name }) => name === "etiquette_decisions_total");
    expect(sumOf(decisions, "etiquette_decisions_total")).toBe(count);
    for (const { labels } of decisions) {
      expect(labels).toEqual({ org: "demo", rule: expect.stringMatching(/^\w{20}$/), provider: expect.any(String) });
    }
  });

  test("the requests and refusals of the listed orgs are counted, each org by itself", async () => {
    const server = await start(database(), {
      metricsOrgs: ["demo", "acme"],
      rateLimits: parseRateLimits("discovery=2"),
    });
    for (const path of [JOE, JOE, JOE, "/api/v1/users"]) await call(server, path, { headers: SECURE });
    await call(server, JOE, { headers: { ...SECURE, Host: "unknown.localhost" } });
    const samples = await scrapeUntil(server, (all) => requestsOf(all) >= 5);
    const counts = samples.filter(({ name }) => name === "etiquette_org_requests_total");
    expect(counts.map(({ labels, value }) => ({ ...labels, value }))).toEqual([
      { org: "demo", operation: "webfinger", status: "200", value: 2 },
      { org: "demo", operation: "webfinger", status: "429", value: 1 },
      { org: "demo", operation: "GET /api/v1/users", status: "401", value: 1 },
    ]);
    expect(sumOf(samples, "etiquette_org_webfinger_duration_seconds_count", { org: "demo" })).toBe(3);
    expect(JSON.stringify(samples)).not.toContain("unknown.localhost");
  });

  test("a request over a rate limit is a refusal", async () => {
    const server = await start(database(), { rateLimits: parseRateLimits("discovery=1") });
    for (let i = 0; i < 3; i++) await call(server, JOE, { headers: SECURE });
    const samples = await scrapeUntil(server, (all) => requestsOf(all) >= 3);
    expect(refusalsOf(samples, "rate_limit")).toBe(2);
  });

  test("so is what never reaches the app", async () => {
    const server = await start(database(), { connectionLimits: { maxPendingResponses: 1 } });
    expect(refusalsOf(await scrape(server), "protocol")).toBe(0);
    const socket = connect(server.port, "127.0.0.1");
    socket.end("no request\r\n\r\n");
    await once(socket.resume(), "close");
    const samples = await scrapeUntil(server, (all) => refusalsOf(all, "protocol") > 0);
    expect(refusalsOf(samples, "protocol")).toBe(1);
    expect(requestsOf(samples)).toBe(0);
  });

  test("so is a connection over the limit", async () => {
    const server = await start(database(), { connectionLimits: { maxConnections: 1 } });
    const first = connect(server.port, "127.0.0.1");
    await once(first, "connect");
    await scrapeUntil(server, (all) => sumOf(all, "etiquette_connections") === 1);
    const second = connect(server.port, "127.0.0.1");
    await once(
      second.resume().on("error", () => undefined),
      "close",
    );
    const samples = await scrapeUntil(server, (all) => refusalsOf(all, "connections") > 0);
    expect(refusalsOf(samples, "connections")).toBe(1);
    first.destroy();
  });

  test("so is a request during overload, which is not counted as a request", async () => {
    const server = await start(database(), { overloadLimits: { lag: 1e-9, waiting: false } });
    await until(async () => (await call(server, "/api/v1/users", { headers: SECURE })).status === 503);
    expect(refusalsOf(await scrape(server), "overload")).toBeGreaterThan(0);
    expect(requestsOf(await scrape(server), { status: "503" })).toBe(0);
  });

  test("the admin port has these paths only, and no others reach it", async () => {
    const server = await start(database());
    const { status, headers } = await callAdmin(server, "/metrics");
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(headers["cache-control"]).toBe("no-store");
    expect((await callAdmin(server, "/livez")).text).toBe("ok\n");
    expect((await callAdmin(server, "/readyz")).text).toBe("ok\n");
    expect((await callAdmin(server, "/metrics", "HEAD")).status).toBe(200);
    expect(await callAdmin(server, "/metrics", "POST")).toMatchObject({ status: 405, body: { errorCode: "E0000022" } });
    for (const path of ["/", "/metrics/", "/METRICS", JOE, "/api/v1/users"]) {
      expect([path, (await callAdmin(server, path)).status]).toEqual([path, 404]);
    }
  });

  test("the admin port is off by default, and a port in use is a reason", async () => {
    const server = await start(database());
    const adminPort = Number(new URL(String(server.adminUrl)).port);
    await expect(start(database(), { adminPort })).rejects.toThrow(
      `Port ${adminPort} on 127.0.0.1 is in use: stop what listens there or choose another with --admin-port`,
    );
    expect((await start(database(), { adminPort: undefined })).adminUrl).toBeUndefined();
  });

  test("the admin port says that a server drains, until the end", async () => {
    const server = await start(database(), { drainDelay: 2_000 });
    running.length = 0;
    const closed = server.close();
    expect(await callAdmin(server, "/readyz")).toMatchObject({ status: 503, text: "draining\n" });
    expect(sumOf(await scrape(server), "etiquette_ready")).toBe(0);
    expect((await callAdmin(server, "/livez")).text).toBe("ok\n");
    await closed;
    await expect(callAdmin(server, "/livez")).rejects.toThrow("ECONNREFUSED");
  });
});
