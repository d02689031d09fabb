import path from "node:path";
import { z } from "zod";
import { parseDuration } from "./durations.js";
import type { SettingGroup } from "./setting.js";
import { integer, postgresUrl, text, toggle } from "./shapes.js";

/** In milliseconds. A read that waits longer for a replica keeps a connection from others. */
const MAX_READ_LAG = 10_000;

const staleLimit = z
  .string()
  .transform((value) => (value === "0" ? 0 : (parseDuration(value) ?? -1)))
  .refine((time) => time >= 0, "must be a time of 1m to 3650d, such as 24h, or 0");

/** Where the data is. */
export const DATABASE = {
  data: {
    placeholder: "FOLDER",
    fallback: "data",
    help: "folder of the SQLite database, the generated certificate and the generated secret",
    isPath: true,
    shape: text.transform((folder) => path.resolve(folder)),
    target: "dataFolder",
  },
  "database-url": {
    env: "DATABASE_URL",
    placeholder: "URL",
    help: "PostgreSQL, postgres://user@host/name; without it SQLite in the data folder",
    details: "PostgreSQL 15 or newer. An empty value means SQLite.",
    secret: true,
    shape: postgresUrl,
    target: "databaseUrl",
  },
  "listen-url": {
    placeholder: "URL",
    help: "the same PostgreSQL without the pool (PgBouncer) that --database-url leads to, for one connection that listens",
    details: "Needed if the pool works by transaction. See [PgBouncer](../guides/scaling.md#pgbouncer).",
    secret: true,
    shape: postgresUrl,
    target: "listenUrl",
  },
  "read-url": {
    placeholder: "URL",
    help: "a replica of --database-url that serves reads while it keeps up; without it the primary serves all",
    details: "See [replicas](../guides/failover.md#replicas).",
    secret: true,
    shape: postgresUrl,
    target: "readUrl",
  },
  "read-max-lag": {
    placeholder: "MS",
    fallback: "100",
    help: "how long a read waits for a replica that is behind before the primary serves it, 1 to 10000 milliseconds",
    shape: integer(1, MAX_READ_LAG),
    target: "readMaxLag",
  },
  "api-connections": {
    placeholder: "NUMBER",
    fallback: "6",
    help: "connections of a process to PostgreSQL for the API, 2 to 100; an org uses at most half of them at once",
    shape: integer(2, 100),
    target: "apiConnections",
  },
  "statement-timeout": {
    placeholder: "SECONDS",
    fallback: "10",
    help: "how long PostgreSQL may run a statement of a request, 1 to 600 seconds",
    shape: integer(1, 600),
    target: "statementTimeout",
  },
  "stale-limit": {
    placeholder: "TIME",
    fallback: "24h",
    help: "how long discovery goes on with what is known while the database does not answer: 1m to 3650d, or 0",
    details: "See [without the database](../guides/failover.md#without-the-database).",
    shape: staleLimit,
    target: "staleLimit",
  },
  migrate: {
    negatable: true,
    help: "bring the schema up to date at each start; with --no-migrate the command migrate does, and the start refuses an older one",
    details: "See [upgrading](../guides/upgrading.md).",
    shape: toggle.default(true),
    target: "migrate",
  },
  demo: {
    negatable: true,
    help: "create the org demo in an empty database; without it only in SQLite, and with --no-demo never",
    shape: toggle.optional(),
  },
} as const satisfies SettingGroup;
