import { once } from "node:events";
import { connect } from "node:net";
import { scrape, scrapeUntil, sumOf, type Sample } from "../support/metrics.js";
import { call, startTestServer, webfingerPath, type TestServer } from "../support/server.js";
import { describePostgres, describeStores } from "../support/stores.js";
import { startTcpProxy } from "../support/tcp-proxy.js";

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

describeStores((engine, database) => {
  test("requests are counted by operation, status and kind of org", async () => {
    const server = await start(await database());
    const get = (path: string, headers = {}) => call(server, path, { headers: { ...SECURE, ...headers } });
    await get(JOE);
    await get(JOE);
    await get("/api/v1/users/joe@example.com?filter=x");
    await get("/api/v2/users");
    await get("/sso/idps/none", { Host: "demo.localhost" });
    await get("/sso?iss=x");
    await get("/nothing", { Host: "none.example" });
    for (const path of ["/console/session", "/console/session?x=1", "/consoles"]) await get(path);
    await call(server, "/api/v1/users", { method: "DELETE", headers: SECURE });
    await call(server, "/api/v1/users", { method: "OPTIONS", headers: SECURE });
    const samples = await scrapeUntil(server, (all) => requestsOf(all) >= 12);
    const requests = samples.filter(({ name }) => name === "etiquette_requests_total");
    expect(requests.map(({ labels: { operation, status, org }, value }) => [operation, status, org, value])).toEqual([
      ["webfinger", "200", "default", 2],
      ["GET /api/v1/users/:id", "401", "default", 1],
      ["GET /api/v2/users", "401", "default", 1],
      ["GET /sso/idps/:id", "404", "default", 1],
      ["GET /sso", "400", "default", 1],
      ["other", "404", "unknown", 1],
      ["console", "401", "default", 2],
      ["other", "404", "default", 1],
      ["DELETE /api/v1/users", "405", "default", 1],
      ["OPTIONS", "204", "default", 1],
    ]);
    const durations = { name: "etiquette_request_duration_seconds", labels: { operation: "webfinger" } };
    expect(sumOf(samples, `${durations.name}_count`, durations.labels)).toBe(2);
    expect(sumOf(samples, `${durations.name}_sum`, durations.labels)).toBeGreaterThan(0);
    expect(sumOf(samples, "etiquette_ready")).toBe(1);
    expect(sumOf(samples, "nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
    expect(sumOf(samples, "process_resident_memory_bytes")).toBeGreaterThan(0);
  });

  test("caches, connections and pools are read at the scrape", async () => {
    const server = await start(await database());
    for (let i = 0; i < 3; i++) await call(server, JOE, { headers: SECURE });
    const samples = await scrape(server);
    const look = (cache: string, result: string) => sumOf(samples, "etiquette_cache_lookups_total", { cache, result });
    for (const cache of ["hosts", "trust", "rules"]) {
      expect([cache, look(cache, "hit") >= 2, look(cache, "miss") >= 1]).toEqual([cache, true, true]);
      expect(sumOf(samples, "etiquette_cache_entries", { cache })).toBe(1);
      expect(sumOf(samples, "etiquette_cache_bytes", { cache })).toBeGreaterThan(0);
    }
    const pools = samples
      .filter(({ name }) => name === "etiquette_database_waiting")
      .map(({ labels }) => labels["pool"]);
    expect(pools).toEqual(engine === "SQLite" ? ["writer"] : ["own", "discovery", "tokens", "api"]);
    expect(sumOf(samples, "etiquette_database_connections")).toBeGreaterThan(0);
    expect(sumOf(samples, "etiquette_database_errors_total")).toBe(0);
    expect(sumOf(samples, "etiquette_events_dropped_total")).toBe(0);
    expect(samples.some(({ name }) => name === "etiquette_events_waiting_bytes")).toBe(true);

    const held = connect(server.port, "127.0.0.1");
    await once(held, "connect");
    await scrapeUntil(server, (all) => sumOf(all, "etiquette_connections") === 1);
    held.destroy();
    await scrapeUntil(server, (all) => sumOf(all, "etiquette_connections") === 0);
  });
});

describePostgres((_engine, database) => {
  test("errors of the database are counted by kind", async () => {
    const { options } = await database();
    const url = new URL(String(options.databaseUrl));
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    const databaseUrl = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(proxy.port) }).href;
    const server = await start({ options: { ...options, databaseUrl } }, { staleLimit: 0 });
    expect(sumOf(await scrape(server), "etiquette_database_errors_total")).toBe(0);
    await proxy.cut();
    const kind = "connection";
    const isCounted = (all: Sample[]) => sumOf(all, "etiquette_database_errors_total", { kind }) > 0;
    await scrapeUntil(server, (all) => isCounted(all) && sumOf(all, "etiquette_ready") === 0);
    await proxy.restore();
  });
});
