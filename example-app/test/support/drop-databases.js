"use strict";

const { rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { Client } = require("pg");

/** After a run: drops the databases that databases.ts has named, on PostgreSQL and on all nodes of Citus, and the programs of server.ts and previous.ts. */
module.exports = async () => {
  const { DATABASE_URL, CITUS_URL, TEST_RUN } = process.env;
  const program = join(__dirname, "../../../node_modules/.cache/etiquette-tests", TEST_RUN);
  const previous = join(tmpdir(), `etiquette-${TEST_RUN}`);
  for (const folder of [program, previous]) rmSync(folder, { recursive: true, force: true });
  if (DATABASE_URL) await dropFrom(DATABASE_URL);
  if (!CITUS_URL) return;
  const nodes = await query(CITUS_URL, "select nodename, nodeport from pg_dist_node order by groupid");
  for (const { nodename, nodeport } of nodes)
    await dropFrom(Object.assign(new URL(CITUS_URL), { host: `${nodename}:${nodeport}` }).href);
};

async function dropFrom(url) {
  const names = `select datname from pg_database where datname like 'etq\\_${process.env.TEST_RUN}\\_%'`;
  for (const { datname } of await query(url, names)) {
    const dropping = query(url, `drop database if exists ${datname} with (force)`);
    await dropping.catch(({ message }) => console.warn(`The database ${datname} is left: ${message}`));
  }
}

async function query(connectionString, sql) {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
