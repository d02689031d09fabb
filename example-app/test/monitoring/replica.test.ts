import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { insertApiToken } from "../support/api.js";
import { createPair, describeClusters, type Cluster } from "../support/clusters.js";
import { scrapeUntil, sumOf, type Sample } from "../support/metrics.js";
import { call, startTestServer, webfingerPath, type TestServer } from "../support/server.js";
import { makeFolder } from "../support/stores.js";
import { profile } from "../support/users.js";

describeClusters("two servers that read from a replica", () => {
  const parent = makeFolder();
  let primary: Cluster;
  let standby: Cluster;
  let servers: TestServer[];
  let token: string;

  beforeAll(async () => {
    ({ primary, standby } = await createPair());
    const name = await primary.createDatabase();
    const options = { databaseUrl: primary.url(name), dataFolder: mkdtempSync(join(parent, "data-")) };
    const settings = {
      readUrl: standby.url(name),
      readMaxLag: 1_000,
      adminPort: 0,
      demo: true,
      secrets: ["s".repeat(32)],
    };
    servers = [await startTestServer({ options }, settings), await startTestServer({ options }, settings)];
    token = await insertApiToken(options, "demo");
  });

  afterAll(async () => {
    for (const server of servers) await server.close();
    for (const cluster of [standby, primary]) await cluster.remove();
  });

  const usedOf = (samples: Sample[]) => sumOf(samples, "etiquette_replica_used");
  const readsAt = (samples: Sample[], place: string) => sumOf(samples, "etiquette_replica_reads_total", { place });

  const api = (server: TestServer, path: string, body?: unknown) =>
    call(server, `/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { Authorization: `SVC ${token}` },
      body,
    });

  async function createAndList(login: string): Promise<void> {
    const [one, other] = servers as [TestServer, TestServer];
    expect((await api(one, "/users", { profile: profile(login) })).status).toBe(200);
    for (const server of [other, one]) {
      const { body } = await api(server, `/users?filter=profile.login%20eq%20%22${login}%22`);
      expect(body).toMatchObject([{ profile: { login } }]);
      const { status } = await call(server, webfingerPath(login));
      expect(status).toBe(200);
    }
  }

  it("what one has created the other one lists at once; metrics and log tell who served, and how far the replica is", async () => {
    const server = servers[1]!;
    const before = await scrapeUntil(server, (samples) => usedOf(samples) === 1);
    for (let count = 0; count < 5; count++) await createAndList(`a${count}@example.com`);
    const after = await scrapeUntil(server, () => true);
    expect(readsAt(after, "replica")).toBeGreaterThanOrEqual(readsAt(before, "replica") + 4); // one may come too soon
    expect(sumOf(after, "etiquette_replica_lag_seconds")).toBeLessThan(1);

    await standby.query("select pg_wal_replay_pause()");
    for (let count = 0; count < 5; count++) await createAndList(`b${count}@example.com`);
    const behind = await scrapeUntil(server, (samples) => sumOf(samples, "etiquette_replica_lag_seconds") > 1);
    expect(usedOf(behind)).toBe(0);
    expect(readsAt(behind, "primary")).toBeGreaterThanOrEqual(readsAt(after, "primary") + 5);
    await standby.query("select pg_wal_replay_resume()");
    await scrapeUntil(server, (samples) => usedOf(samples) === 1);
    const told = server.lines.flatMap(({ msg, reason }) =>
      String(msg).startsWith("reads go to") ? [[msg, reason]] : [],
    );
    expect(told[0]).toEqual(["reads go to the replica", undefined]);
    expect(told).toContainEqual(["reads go to the primary", "it is more than 1000 ms behind"]);
    expect(told.at(-1)).toEqual(["reads go to the replica", undefined]);
    expect(sumOf(behind, "etiquette_database_errors_total")).toBe(0);
  });

  it("without a replica there are no values", async () => {
    const server = await startTestServer(
      { options: { dataFolder: mkdtempSync(join(parent, "data-")) } },
      { adminPort: 0 },
    );
    const samples = await scrapeUntil(server, () => true);
    expect(samples.filter(({ name }) => name.startsWith("etiquette_replica"))).toEqual([]);
    await server.close();
  });
});
