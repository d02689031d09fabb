"use strict";

const { randomBytes } = require("node:crypto");
const { mkdtempSync, rmSync } = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { URL } = require("node:url");
const { requireCompiled } = require("../../kit/compiled.js");
const { Unavailable } = require("../../kit/unavailable.js");

/**
 * An empty database of its own with the server's schema.
 *
 * @param engine `sqlite`; `postgresql`, which needs DATABASE_URL and the right to create databases; `citus-2` and `citus-3`
 *   for that many nodes of the cluster whose coordinator is CITUS_URL
 * @returns `{ engine, options, open, run, drop }`: `options` is what the server's `openStore()` takes, `open()` opens a
 *   store that `drop()` closes, `run(statements)` executes SQL past the server, when no store is open
 */
async function createDatabase(engine) {
  const { openStore } = requireCompiled("store/store.js");
  const { databaseUrl, run, remove } = await ENGINES[engine]();
  const dataFolder = mkdtempSync(path.join(os.tmpdir(), "etiquette-bench-"));
  const options = databaseUrl === undefined ? { dataFolder } : { dataFolder, databaseUrl };
  const stores = [];
  try {
    await (await openStore(options)).close();
  } catch (error) {
    await drop();
    throw error;
  }
  return { engine, options, open, run: (statements) => run(statements, dataFolder), drop };

  async function open() {
    const store = await openStore(options);
    stores.push(store);
    return store;
  }

  async function drop() {
    await Promise.all(stores.map((store) => store.close()));
    await remove();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

const ENGINES = {
  "citus-2": () => createOnNodes(2),
  "citus-3": () => createOnNodes(3),

  async sqlite() {
    return { run: runSqlite, remove: () => Promise.resolve() };
  },

  async postgresql() {
    const { DATABASE_URL } = process.env;
    if (!DATABASE_URL) throw new Unavailable("DATABASE_URL names no PostgreSQL database");
    const name = nameDatabase();
    const databaseUrl = Object.assign(new URL(DATABASE_URL), { pathname: `/${name}` }).href;
    await runPostgres(DATABASE_URL, [`create database ${name}`]);
    return {
      databaseUrl,
      run: (statements) => runPostgres(databaseUrl, statements),
      remove: () => runPostgres(DATABASE_URL, [`drop database ${name} with (force)`]),
    };
  },
};

/** A distributed database on the coordinator, which keeps rows as well, and on further nodes. */
async function createOnNodes(count) {
  const { CITUS_URL } = process.env;
  if (!CITUS_URL) throw new Unavailable("CITUS_URL names no coordinator of a Citus cluster");
  const name = nameDatabase();
  const [found] = await runPostgres(CITUS_URL, ["select nodename, nodeport from pg_dist_node order by groupid"]);
  const nodes = found.slice(0, count);
  if (nodes.length < count) throw new Unavailable(`the Citus cluster has less than ${count} nodes`);
  const urlOf = ({ nodename, nodeport }, database) =>
    Object.assign(new URL(CITUS_URL), { host: `${nodename}:${nodeport}`, pathname: `/${database}` }).href;
  const maintenance = new URL(CITUS_URL).pathname.slice(1);
  const onEach = async (database, statement) => {
    for (const node of nodes) await runPostgres(urlOf(node, database), [statement]);
  };
  await onEach(maintenance, `create database ${name}`);
  await onEach(name, "create extension citus");
  const [coordinator, ...workers] = nodes;
  const databaseUrl = urlOf(coordinator, name);
  await runPostgres(databaseUrl, [
    `select citus_set_coordinator_host('${coordinator.nodename}', ${coordinator.nodeport})`,
    ...workers.map(({ nodename, nodeport }) => `select citus_add_node('${nodename}', ${nodeport})`),
    `select citus_set_node_property('${coordinator.nodename}', ${coordinator.nodeport}, 'shouldhaveshards', true)`,
  ]);
  return {
    databaseUrl,
    run: (statements) => runPostgres(databaseUrl, statements),
    remove: () => onEach(maintenance, `drop database ${name} with (force)`),
  };
}

function nameDatabase() {
  return `etiquette_bench_${randomBytes(6).toString("hex")}`;
}

/** Does not wait for the disk: what is loaded here may be lost. */
async function runSqlite(statements, dataFolder) {
  const Database = require("libsql");
  const database = new Database(path.join(dataFolder, "etiquette.db"));
  try {
    database.exec("pragma synchronous = off");
    database.exec("pragma cache_size = -200000"); // KB
    const results = [];
    for (const statement of statements) {
      const prepared = database.prepare(statement);
      results.push(prepared.reader ? prepared.all() : prepared.run());
    }
    return results;
  } finally {
    database.close();
  }
}

async function runPostgres(databaseUrl, statements) {
  const { Client } = require("pg");
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const results = [];
    for (const statement of statements) results.push((await client.query(statement)).rows);
    return results;
  } finally {
    await client.end();
  }
}

module.exports = { createDatabase };
