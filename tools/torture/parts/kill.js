"use strict";

const { setTimeout: sleep } = require("node:timers/promises");
const { WriteLoad } = require("../load/write-load.js");
const { Client, linkOf } = require("../servers/client.js");
const { createDatabase } = require("../servers/databases.js");
const { readChanges } = require("../servers/events.js");
const { org } = require("../servers/orgs.js");
const { Cluster } = require("../servers/postgres.js");
const { mixSeed, Random } = require("../random.js");
const { createToken, ifSupported, importDocument, startServer } = require("../servers/server.js");

const SERVER_KILLS = 100;
const DATABASE_KILLS = 20;

/** In milliseconds: when a kill comes, after the load began. */
const MIN_LOAD = 150;
const MAX_LOAD = 650;

/** In milliseconds: so long after its start the database must serve again, through a server that nobody touched. */
const MAX_RECOVERY = 5_000;

/** Kill the server in the midst of writes, and start it again. */
async function killServer(engine, { count, seed }) {
  const setup = await prepare(engine, {});
  const kills = count(SERVER_KILLS);
  let server = await startServer(setup.database, setup.options);
  const result = await repeat({ ...setup, seed, kills, port: () => server.port }, async () => {
    await server.kill();
    const start = Date.now();
    server = await startServer(setup.database, setup.options);
    return Date.now() - start;
  });
  await server.stop();
  await setup.database.remove();
  return result;
}

/** Kill PostgreSQL below a server that stays, and start it again. */
async function killPostgres({ count, seed }) {
  const cluster = await Cluster.create();
  const setup = await prepare("postgresql", { cluster });
  const server = await startServer(setup.database, setup.options);
  const result = await repeat(
    { ...setup, seed, kills: count(DATABASE_KILLS), port: () => server.port },
    async (client) => {
      await cluster.end("SIGKILL");
      await cluster.start();
      return waitUntilServing(client);
    },
  );
  if (!server.isRunning) result.faults.push("the server ended");
  await server.stop();
  await cluster.remove();
  return result;
}

async function prepare(engine, options) {
  const database = await createDatabase(engine, options);
  await importDocument(database, { orgs: [org("demo")] });
  const token = await createToken(database, "demo");
  return { database, token, options: { args: ifSupported("--rate-limits", "off") } };
}

/** @param strike kills and starts again; returns how long the start took, in milliseconds */
async function repeat({ database, token, seed, kills, port }, strike) {
  const random = new Random(mixSeed(seed, "kill"));
  const tally = { held: 0, acknowledged: 0, starts: [], faults: [] };
  const begin = new Date();
  for (let round = 0; round < kills; round++) {
    const since = new Date(Date.now() - 1_000);
    const client = new Client({ port: port() }, { org: "demo", token });
    const load = new WriteLoad(client, `kill-${round}`);
    await load.prepare();
    load.start();
    await sleep(MIN_LOAD + random.integer(MAX_LOAD - MIN_LOAD));
    tally.starts.push(await strike(client));
    await load.stop();
    client.close();

    const faults = [...load.faults, ...(await findLosses({ port: port(), token, load, since }))];
    if (faults.length === 0) tally.held += 1;
    tally.faults.push(...faults.slice(0, 3).map((fault) => `kill ${round}: ${fault}`));
    tally.acknowledged += load.acknowledged;
  }
  tally.faults.push(...(await compareAll({ port: port(), token, begin })));
  return {
    tried: kills,
    survived: tally.held,
    faults: tally.faults,
    versions: database.versions,
    figures: {
      "writes that were acknowledged": tally.acknowledged.toLocaleString("en-US"),
      "longest time until it served again": `${Math.max(...tally.starts)} ms`,
    },
  };
}

async function findLosses({ port, token, load, since }) {
  const client = new Client({ port }, { org: "demo", token });
  try {
    const events = new Set((await readChanges(client, since)).map(({ request }) => request));
    const requests = [...load.created.map(({ request }) => request), ...load.updates];
    const missing = requests
      .filter((request) => !events.has(request))
      .map((request) => `no event of the request ${request}`);
    return [...missing, ...(await load.check(client))];
  } finally {
    client.close();
  }
}

/** Users and events of their creation must be the same set: also for writes that were never acknowledged. */
async function compareAll({ port, token, begin }) {
  const client = new Client({ port }, { org: "demo", token });
  const users = new Set();
  for (let path = "/api/v1/users?limit=200"; path !== undefined;) {
    const response = await client.send(path);
    for (const { id } of response.body) users.add(id);
    path = linkOf(response, "next");
  }
  const created = (await readChanges(client, begin)).filter(({ type }) => type === "user.lifecycle.create");
  const known = new Set(created.map(({ target }) => target));
  client.close();
  return [
    ...[...users].filter((id) => !known.has(id)).map((id) => `the user ${id} has no event`),
    ...[...known].filter((id) => !users.has(id)).map((id) => `there is an event, but no user ${id}`),
  ];
}

async function waitUntilServing(client) {
  const start = Date.now();
  for (;;) {
    const response = await client.send("/api/v1/users?limit=1").catch(() => undefined);
    const duration = Date.now() - start;
    if (response?.status === 200) return duration;
    if (duration > MAX_RECOVERY)
      throw new Error(`${MAX_RECOVERY} ms after the start of the database: ${response?.status} ${response?.text}`);
    await sleep(20);
  }
}

const server = { unit: "kills", total: SERVER_KILLS };

module.exports = {
  name: "kill",
  claim: `\`kill -9\` of the server, and of PostgreSQL (with \`fsync\` on), while twelve clients write. Held: every write that was
acknowledged is there, and so is the event of every change; the server starts again by itself, or goes on within 5 s after the
database is back. At the end the users and the events of their creation are the same set.`,
  runs: [
    { ...server, name: "sqlite", run: (context) => killServer("sqlite", context) },
    { ...server, name: "postgresql", run: (context) => killServer("postgresql", context) },
    { name: "of-postgresql", unit: "kills", total: DATABASE_KILLS, run: killPostgres },
  ],
};
