"use strict";

const { performance } = require("node:perf_hooks");
const { setTimeout: sleep } = require("node:timers/promises");
const { sql } = require("kysely");
const { requireCompiled } = require("../../kit/compiled.js");
const { SteadyQueries } = require("../load/steady-queries.js");
const { createDatabase } = require("../servers/databases.js");
const { org } = require("../servers/orgs.js");
const { Cluster } = require("../servers/postgres.js");
const { importDocument } = require("../servers/server.js");

const EVENTS = 10_000_000;
const ORGS = 100;

/** In milliseconds: what no read and no write may wait. */
const MAX_WAIT = 200;

/** In milliseconds. */
const PAUSE = 10;

/** In seconds: how long a transaction of another user reads the log, and how often. No change gets the table meanwhile. */
const LONG_READ = 1;
const LONG_READ_PAUSE = 3_000;

/** In milliseconds: how long the same is measured without a migration. */
const ALONE = 5_000;

const COLUMNS = "org_id, sequence, published, uuid, event_type, severity, request_id, search_text, event";

/** The events of four weeks, for each of which the log has a partition. */
const FILL = (events) => `
  insert into log_events (${COLUMNS})
  select 'org-' || number % ${ORGS}, number / ${ORGS},
    to_char(now() + number * interval '28 days' / ${events}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    md5(number::text), 'system.webfinger.query', 'DEBUG', md5(number::text), '', '["/.well-known/webfinger"]'
  from generate_series(1, ${events}) as number`;

const INSERT = (number) => `
  insert into log_events (${COLUMNS}) values ('probe', ${number},
    to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'uuid', 'user.lifecycle.create', 'INFO', 'request', '', '{}')`;

const READ = `select event from log_entries where org_id = 'org-7' order by published desc, sequence desc limit 1`;

const READ_LONG = `begin; select from log_events limit 1; select pg_sleep(${LONG_READ}); commit`;

/** The kinds of steps that there are, on the largest table. */
function stepsOf(version) {
  return {
    [`9998-column@${version}`]: (db) =>
      sql`alter table log_events add column note text, add column level integer not null default 1`.execute(db),
    [`9998-index@${version}`]: { index: { name: "log_events_note", table: "log_events", columns: ["org_id", "note"] } },
    [`9998-rows@${version}`]: {
      async batch(db) {
        const { numAffectedRows = 0n } = await sql`
          update log_events set note = 'changed' where (org_id, sequence, published) in (
            select org_id, sequence, published from log_events where org_id = 'org-7' and note is null limit 200
          )`.execute(db);
        return Number(numAffectedRows);
      },
    },
    [`9998-removal@${version}`]: { contract: (db) => sql`alter table log_events drop column level`.execute(db) },
  };
}

async function run({ count, say }) {
  const { updateSchema } = requireCompiled("store/engine/postgres-schema.js");
  const { createPostgresDialect } = requireCompiled("store/engine/postgres-dialect.js");
  const { MIGRATIONS } = requireCompiled("store/schema/migrations/index.js");
  const { SCHEMA_VERSION } = requireCompiled("store/schema/versions.js");
  const { openPool } = requireCompiled("store/engine/postgres-pool.js");
  const cluster = await Cluster.create({ fsync: "off", shared_buffers: "256MB", max_wal_size: "4GB" });
  const database = await createDatabase("postgresql", { cluster });
  await importDocument(database, { orgs: [org("demo")] });
  const events = count(EVENTS);
  await cluster.query(FILL(events), database.name);
  await cluster.query("vacuum analyze log_events", database.name);
  await cluster.query("checkpoint", database.name);
  const [{ bytes }] = await cluster.query(
    "select sum(pg_total_relation_size(relid))::float8 as bytes from pg_partition_tree('log_events')",
    database.name,
  );
  say(`${events} events, ${Math.round(bytes / 1_048_576)} MiB`);

  let number = 0;
  const probe = async (work) => {
    const probes = await Promise.all([
      SteadyQueries.start(database.databaseUrl, () => INSERT(number++), { pause: PAUSE, limit: MAX_WAIT }),
      SteadyQueries.start(database.databaseUrl, READ, { pause: PAUSE, limit: MAX_WAIT }),
    ]);
    const reader = await SteadyQueries.start(database.databaseUrl, READ_LONG, { pause: LONG_READ_PAUSE });
    await work();
    for (const queries of [...probes, reader]) await queries.stop();
    return probes;
  };
  const alone = await probe(() => sleep(ALONE));
  const figures = { events: String(events), "longest wait without a migration": formatLongest(alone) };
  const found = [];
  const ignore = () => undefined;
  const connection = { connectionString: database.databaseUrl };
  const { reader } = openPool(connection, { name: "torture", size: 2, timeout: 0, onError: ignore, isPooled: false });
  const migrations = { ...MIGRATIONS };
  for (const [name, step] of Object.entries(stepsOf(SCHEMA_VERSION + 1))) {
    migrations[name] = step;
    const start = performance.now();
    const dialect = createPostgresDialect("torture");
    const probes = await probe(() => updateSchema(connection, reader, { dialect, migrations, onError: ignore }));
    found.push(...probes);
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    figures[name.replace(/^\d+-|@\d+$/g, "")] = `${seconds} s, longest wait ${formatLongest(probes)}`;
  }
  await reader.destroy();
  await cluster.remove();
  const sum = (name) => found.reduce((total, queries) => total + queries[name], 0);
  const slow =
    sum("late") > 0 ? [`${sum("late")} waited for more than ${MAX_WAIT} ms: ${JSON.stringify(figures)}`] : [];
  return {
    tried: sum("count"),
    survived: sum("count") - sum("late"),
    faults: [...slow, ...found.flatMap(({ faults }) => faults)],
    versions: database.versions,
    figures,
  };
}

function formatLongest(probes) {
  return `${Math.round(Math.max(...probes.map(({ longest }) => longest)))} ms`;
}

module.exports = {
  name: "migrate",
  claim: `The log has ${EVENTS / 1e6} million events. A migration adds columns and an index, changes rows and removes a column, while one
client adds an event and one reads one every ${PAUSE} ms, and another reads in transactions of ${LONG_READ} s. Held: no read and no write
waits for more than ${MAX_WAIT} ms.`,
  runs: [{ name: "postgresql", unit: "reads and writes", total: 0, run }],
};
