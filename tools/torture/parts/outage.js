"use strict";

const { chownSync, mkdirSync } = require("node:fs");
const path = require("node:path");
const { setTimeout: sleep } = require("node:timers/promises");
const { formatBytes } = require("../format.js");
const { Client, webfinger } = require("../servers/client.js");
const { createDatabase } = require("../servers/databases.js");
const { org, profile } = require("../servers/orgs.js");
const { Cluster } = require("../servers/postgres.js");
const { Proxy } = require("../servers/proxy.js");
const { createToken, ifSupported, importDocument, startServer } = require("../servers/server.js");
const { SmallDisk } = require("../servers/small-disk.js");

/** In seconds: how long an outage lasts, at least one. */
const DURATION = 20;

/** Requests at a time. */
const WIDTH = 24;

/** In milliseconds. */
const MAX_RECOVERY = 5_000;

/** In milliseconds: what no request may wait for its 503. */
const MAX_WAIT = 35_000;

/** In bytes: what the server may need more than before. */
const MAX_GROWTH = 150 * 2 ** 20;

/** In megabytes. */
const DISK_SIZE = 64;

/** Each prepares `{ database, begin, end, remove }`, for a database that can go away and come back. */
const OUTAGES = {
  "postgresql-down": () => throughProxy((proxy) => ({ begin: () => proxy.cut(), end: () => proxy.restore() })),
  "postgresql-hanging": () => throughProxy((proxy) => ({ begin: () => proxy.hang(), end: () => proxy.restore() })),
  "postgresql-read-only": readOnly,
  "postgresql-full-disk": fullTablespace,
  "sqlite-locked": locked,
  "sqlite-full-disk": fullDisk,
};

async function run(name, { count }) {
  const { database, begin, end, remove } = await OUTAGES[name]();
  await importDocument(database, { orgs: [org("demo", { users: 50 })] });
  const token = await createToken(database, "demo");
  const server = await startServer(database, { args: ifSupported("--rate-limits", "off") });
  const client = new Client(server, { org: "demo", token, connections: WIDTH });
  const tally = { tried: 0, held: 0, refused: 0, longest: 0, faults: [] };
  await load(client, tally, Date.now() + 1_000, { name, isWell: true });

  const before = await server.usage({ collect: true });
  await begin();
  await load(client, tally, Date.now() + 1_000 * count(DURATION), { name });
  const during = await server.usage({ collect: true });
  await end();
  const recovery = await waitUntilServing(client, name, tally);
  await load(client, tally, Date.now() + 1_000, { name, isWell: true });

  const growth = during.resident - before.resident;
  if (growth > MAX_GROWTH) tally.faults.push(`the server took ${formatBytes(growth)} more`);
  if (tally.refused === 0 && count(DURATION) > 5)
    tally.faults.push("nothing was refused: the outage did not reach the server");
  if (!server.isRunning) tally.faults.push("the server ended");
  client.close();
  await server.stop();
  await remove();
  return {
    tried: tally.tried,
    survived: tally.held,
    faults: tally.faults,
    versions: database.versions,
    figures: {
      "responses with 503": String(tally.refused),
      "longest wait for a response": `${tally.longest.toFixed(0)} ms`,
      "served again": `${recovery} ms after the end`,
      "resident memory before and at the end of the outage": `${formatBytes(before.resident)} and ${formatBytes(during.resident)}`,
    },
  };
}

/** Read and write until `deadline`. Allowed is a success, and in an outage 503 with `Retry-After` as well. */
async function load(client, tally, deadline, { isWell = false }) {
  const lane = async (_, index) => {
    for (let number = 0; Date.now() < deadline; number++) {
      const [path, call] = createRequest(index, number);
      const response = await client.send(path, { ...call, timeout: MAX_WAIT }).catch((error) => ({ error }));
      note(tally, path, response, isWell);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, lane));
}

function note(tally, path, { status, headers, text, body, duration = 0, error }, isWell) {
  tally.tried += 1;
  tally.longest = Math.max(tally.longest, duration);
  const isRefused = status === 503 && !isWell;
  if (isRefused) tally.refused += 1;
  if (status === 200) tally.held += 1;
  else if (isRefused && /^\d+$/.test(headers["retry-after"]) && body?.errorId === headers["x-svc-request-id"])
    tally.held += 1;
  else tally.faults.push(`${path}: ${error?.message ?? `${status} ${headers["retry-after"]} ${text}`}`);
}

function createRequest(lane, number) {
  switch ((lane + number) % 3) {
    case 0:
      return [
        "/api/v1/users",
        { method: "POST", body: { profile: profile(`out-${process.hrtime.bigint()}-${lane}@demo.example`) } },
      ];
    case 1:
      return [`/api/v1/users/user${number % 50}@demo.example`];
    default:
      return [webfinger(`joe${number}@demo.example`)];
  }
}

/** A write and a read must succeed soon. */
async function waitUntilServing(client, name, tally) {
  const start = Date.now();
  for (;;) {
    const responses = await Promise.all(
      [0, 1, 2].map((lane) => client.send(...createRequest(lane, 0)).catch(() => ({ status: 0 }))),
    );
    const duration = Date.now() - start;
    if (responses.every(({ status }) => status === 200)) {
      if (duration > MAX_RECOVERY) tally.faults.push(`it served again only after ${duration} ms`);
      return duration;
    }
    if (duration > 60_000) {
      tally.faults.push(`it did not serve again: ${responses.map(({ status }) => status).join(", ")}`);
      return duration;
    }
    await sleep(20);
  }
}

async function throughProxy(connect) {
  const cluster = await Cluster.create();
  const database = await createDatabase("postgresql", { cluster });
  const proxy = await Proxy.to(cluster.port);
  const databaseUrl = cluster.url(database.name, proxy.port);
  return {
    database: { ...database, databaseUrl },
    ...connect(proxy),
    async remove() {
      await proxy.close();
      await cluster.remove();
    },
  };
}

/** As a standby, or a primary that was demoted. */
async function readOnly() {
  const cluster = await Cluster.create();
  const database = await createDatabase("postgresql", { cluster });
  const set = async (value) => {
    await cluster.query(`alter system set default_transaction_read_only = ${value}`);
    await cluster.query("select pg_reload_conf()");
  };
  return { database, begin: () => set("on"), end: () => set("off"), remove: () => cluster.remove() };
}

async function fullTablespace() {
  const disk = new SmallDisk(DISK_SIZE);
  const cluster = await Cluster.create();
  const folder = path.join(disk.folder, "tablespace");
  mkdirSync(folder);
  chownSync(folder, ...cluster.owner);
  await cluster.query(`create tablespace small location '${folder}'`);
  const database = await createDatabase("postgresql", { cluster, options: "tablespace small" });
  const remove = async () => {
    await cluster.remove();
    await disk.remove();
  };
  return { database, begin: () => disk.fill(), end: () => disk.empty(), remove };
}

async function fullDisk() {
  const disk = new SmallDisk(DISK_SIZE);
  const database = { ...(await createDatabase("sqlite")), dataFolder: disk.folder };
  return { database, begin: () => disk.fill(), end: () => disk.empty(), remove: () => disk.remove() };
}

/** Another process is in a transaction that does not end. */
async function locked() {
  const Database = require("libsql");
  const database = await createDatabase("sqlite");
  let other;
  return {
    database,
    begin() {
      other = new Database(path.join(database.dataFolder, "etiquette.db"), { timeout: 1_000 });
      other.exec("begin immediate");
    },
    end() {
      other.exec("rollback");
      other.close();
    },
    remove: () => database.remove(),
  };
}

module.exports = {
  name: "outage",
  claim: `The database goes away for ${DURATION} s while ${WIDTH} clients read and write, and comes back: PostgreSQL refuses connections,
hangs (accepts and never answers), becomes read-only, has a full disk; SQLite is locked by another process, has a full disk. Held:
each response is a success or 503 with \`Retry-After\`, the server serves again within 5 s, and takes at most
${formatBytes(MAX_GROWTH)} more memory.`,
  runs: Object.keys(OUTAGES).map((name) => ({
    name,
    unit: "responses",
    total: 0,
    run: (context) => run(name, context),
  })),
};
