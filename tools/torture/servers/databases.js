"use strict";

const { mkdtempSync, rmSync } = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { hold } = require("./children.js");
const { sharedCluster } = require("./postgres.js");

const ENGINES = ["sqlite", "postgresql"];

/**
 * An empty database.
 *
 * @param cluster the instance of PostgreSQL, if it is not the one that all share, and `options` of `create database`
 * @returns `{ engine, dataFolder, databaseUrl, versions, remove }`; `databaseUrl` is `undefined` for SQLite
 */
async function createDatabase(engine, { cluster, options } = {}) {
  const dataFolder = mkdtempSync(path.join(os.tmpdir(), "torture-data-"));
  const remove = hold(() => Promise.resolve(rmSync(dataFolder, { recursive: true, force: true })));
  if (engine === "sqlite") {
    return { engine, dataFolder, databaseUrl: undefined, versions: { SQLite: readSqliteVersion() }, remove };
  }
  const instance = cluster ?? (await sharedCluster());
  const name = await instance.createDatabase(options);
  const removeBoth = async () => {
    await instance.query(`drop database if exists ${name} with (force)`).catch(() => undefined);
    await remove();
  };
  return {
    engine,
    dataFolder,
    databaseUrl: instance.url(name),
    versions: { PostgreSQL: instance.version },
    name,
    remove: removeBoth,
  };
}

function readSqliteVersion() {
  const Database = require("libsql");
  const database = new Database(":memory:");
  const [{ version }] = database.prepare("select sqlite_version() as version").all();
  database.close();
  return version;
}

/** A run for each engine: `run(engine, context)`. */
function onEngines({ run, ...rest }) {
  return ENGINES.map((engine) => ({ ...rest, name: engine, run: (context) => run(engine, context) }));
}

module.exports = { createDatabase, ENGINES, onEngines };
