"use strict";

const { setTimeout: sleep } = require("node:timers/promises");
const { WriteLoad } = require("../load/write-load.js");
const { Client, webfinger } = require("../servers/client.js");
const { createDatabase } = require("../servers/databases.js");
const { org } = require("../servers/orgs.js");
const { Cluster } = require("../servers/postgres.js");
const { Proxy } = require("../servers/proxy.js");
const { mixSeed, Random } = require("../random.js");
const { createToken, ifSupported, importDocument, startServer } = require("../servers/server.js");

const ROUNDS = 5;

/** In milliseconds: when the primary goes away, after the load began. */
const MIN_LOAD = 500;
const MAX_LOAD = 1_500;

/** In milliseconds: how long the address leads to a standby. */
const READ_ONLY = 500;

/** In milliseconds: so soon after the address leads to the new primary the servers must serve again. */
const MAX_RECOVERY = 5_000;

/** How the primary goes away. The connections of one that is gone stay open, and nothing answers on them. */
const ENDS = {
  killed: (primary) => primary.end("SIGKILL"),
  gone(primary, proxy) {
    proxy.strand();
    primary.signalAll("SIGSTOP");
  },
};

async function run(name, { count, seed }) {
  const random = new Random(mixSeed(seed, "failover"));
  const tally = { held: 0, acknowledged: 0, refused: 0, recoveries: [], faults: [], versions: {} };
  for (let round = 0; round < count(ROUNDS); round++) await failOver(ENDS[name], tally, random);
  return {
    tried: tally.acknowledged,
    survived: tally.held,
    faults: tally.faults,
    versions: tally.versions,
    figures: {
      failovers: String(tally.recoveries.length),
      "longest time until reads and writes were served again": `${Math.max(...tally.recoveries)} ms`,
    },
  };
}

async function failOver(end, tally, random) {
  const primary = await Cluster.create();
  const standby = await primary.createStandby();
  const database = await createDatabase("postgresql", { cluster: primary });
  await primary.query("alter system set synchronous_standby_names = '*'");
  await primary.query("select pg_reload_conf()");
  const proxy = await Proxy.to(primary.port);
  const behind = { ...database, databaseUrl: primary.url(database.name, proxy.port) };
  await importDocument(behind, { orgs: [org("demo")] });
  const token = await createToken(behind, "demo");
  const args = ifSupported("--rate-limits", "off");
  const servers = [await startServer(behind, { args }), await startServer(behind, { args })];
  const clients = servers.map((server) => new Client(server, { org: "demo", token }));
  const loads = clients.map((client, index) => new WriteLoad(client, `failover-${index}`));
  for (const load of loads) {
    await load.prepare();
    load.start();
  }
  await sleep(MIN_LOAD + random.integer(MAX_LOAD - MIN_LOAD));

  await end(primary, proxy);
  proxy.lead(standby.port);
  await sleep(READ_ONLY);
  await standby.promote();
  tally.recoveries.push(await waitUntilServing(clients, tally));
  await sleep(MIN_LOAD);
  for (const load of loads) await load.stop();
  for (const [index, load] of loads.entries()) {
    const lost = await load.check(clients[1 - index]);
    tally.acknowledged += load.acknowledged;
    tally.held += load.acknowledged - lost.length;
    tally.faults.push(...load.faults, ...lost);
  }
  if (servers.some(({ isRunning }) => !isRunning)) tally.faults.push("a server ended");
  tally.versions = database.versions;

  for (const client of clients) client.close();
  for (const server of servers) await server.stop();
  await proxy.close();
  await primary.end("SIGKILL");
  await primary.remove();
  await standby.remove();
}

/** A read, a write and a WebFinger query must succeed on each server. */
async function waitUntilServing(clients, tally) {
  const start = Date.now();
  for (;;) {
    const calls = clients.flatMap((client) => [
      client.send("/api/v1/users?limit=1"),
      client.send("/api/v1/users/none@demo.example", { method: "DELETE" }),
      client.send(webfinger("joe@demo.example")),
    ]);
    const responses = await Promise.all(calls.map((call) => call.catch(() => ({ status: 0 }))));
    const duration = Date.now() - start;
    if (responses.every(({ status }) => status === 200 || status === 404)) {
      if (duration > MAX_RECOVERY) tally.faults.push(`it served again only after ${duration} ms`);
      return duration;
    }
    if (duration > 60_000) throw new Error(`it did not serve again: ${responses.map(({ status }) => status)}`);
    await sleep(20);
  }
}

module.exports = {
  name: "failover",
  claim: `Two servers reach PostgreSQL through an address that leads to the primary, whose commits wait for a standby. Under a load of
writes the primary is killed, or is gone with its connections still open. The address then leads to the standby, and half a second
later the standby becomes the primary. Held: each response is a success or 503, every write that was acknowledged is there, and both
servers serve reads and writes again within ${MAX_RECOVERY / 1_000} s.`,
  runs: Object.keys(ENDS).map((name) => ({
    name,
    unit: "acknowledged writes",
    total: 0,
    run: (context) => run(name, context),
  })),
};
