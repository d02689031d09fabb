import { createClient, insertApiToken } from "../support/api.js";
import { user } from "../support/documents.js";
import { startTestServer, type TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

const TIMING_REGEXP = /^total;dur=([\d.]+), db;dur=([\d.]+);desc="Database"$/;

describeStores((_engine, database) => {
  let server: TestServer;
  let token: string;

  async function start(serverTiming: string[]): Promise<void> {
    const own = await database();
    server = await startTestServer(own, { http: true, trustedProxies: ["loopback"], serverTiming });
    token = await insertApiToken(own.options, "demo");
  }

  afterEach(() => server.close());

  /** A request of the client with this address. */
  function call(path: string, client: string, init: { method?: string; body?: unknown } = {}) {
    const { api } = createClient(server, "demo", token);
    return api(path, { ...init, headers: { "X-Forwarded-Proto": "https", "X-Forwarded-For": client } });
  }

  test("O6 clients of --server-timing see how long a request and its statements took, and nobody else does", async () => {
    await start(["198.51.100.0/28"]);
    for (const init of [{}, { method: "POST", body: user("ann@example.com") }]) {
      const { headers } = await call("/users", "198.51.100.7", init);
      const [, total, db] = TIMING_REGEXP.exec(String(headers["server-timing"])) ?? [];
      expect(Number(db)).toBeGreaterThan(0);
      expect(Number(total)).toBeGreaterThanOrEqual(Number(db));
    }
    expect((await call("/nothing", "198.51.100.7")).headers["server-timing"]).toMatch(/^total;dur=/);
    for (const client of ["198.51.100.16", "127.0.0.1", "198.51.100.7, 203.0.113.1"]) {
      expect((await call("/users", client)).headers).not.toHaveProperty("server-timing");
    }
  });

  test("O6 nobody sees times by default", async () => {
    await start([]);
    expect((await call("/users", "127.0.0.1")).headers).not.toHaveProperty("server-timing");
  });
});
