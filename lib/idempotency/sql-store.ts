import { assertKnownOptions, functionOption, optionError } from "../factory/index.js";
import type { IdempotencyStore } from "./store.js";

/** What a driver of SQLite or PostgreSQL must do. Parameters are `?` on SQLite, `$1`, `$2` … on PostgreSQL. */
export interface SqlConnection {
  /** Run a statement. */
  run(sql: string, parameters: readonly (string | number)[]): unknown;
  /** Run a statement that returns rows, and return or promise them. */
  all(sql: string, parameters: readonly (string | number)[]): unknown;
}

export interface SqlIdempotencyStoreOptions {
  /** The SQL that `connection` speaks. */
  dialect: "sqlite" | "postgresql";

  /** Runs the statements. */
  connection: SqlConnection;

  /**
   * The name of the table: letters, digits and `_`, with the schema before a point if need be.
   *
   * @default "idempotency_keys"
   */
  table?: string;

  /**
   * The current time, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: () => number;
}

/** An {@link IdempotencyStore} with the SQL that creates its table. */
export interface SqlIdempotencyStore extends IdempotencyStore {
  /** Creates the table and its index where they are absent. Put it into a migration, or run it at the start. */
  readonly schema: readonly string[];
}

const OPTIONS: Record<keyof SqlIdempotencyStoreOptions, true> = {
  dialect: true,
  connection: true,
  table: true,
  now: true,
};

const TABLE_REGEXP = /^[A-Za-z_][A-Za-z0-9_]{0,62}(?:\.[A-Za-z_][A-Za-z0-9_]{0,62})?$/;

/** How many expired keys each new key removes, so that a table never has many of them. */
const REMOVED_AT_ONCE = 10;

/** How often a key is tried again that expired between two statements. */
const MAX_TRIES = 3;

/**
 * An {@link IdempotencyStore} in a table of SQLite or PostgreSQL. Each new key also removes up to ten that have expired.
 *
 * @throws {TypeError} when an option is unknown, missing or of the wrong type
 * @example
 * const store = sqlIdempotencyStore({
 *   dialect: "postgresql",
 *   connection: {
 *     run: (sql, parameters) => pool.query(sql, [...parameters]),
 *     all: async (sql, parameters) => (await pool.query(sql, [...parameters])).rows,
 *   },
 * });
 * for (const statement of store.schema) await pool.query(statement);
 */
export function sqlIdempotencyStore(options: Readonly<SqlIdempotencyStoreOptions>): SqlIdempotencyStore {
  const { connection, statements, schema, now } = parseOptions(options);

  return {
    schema,
    async add(key, value, lifetime) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const time = now();
        await connection.run(statements.removeExpired, [time, REMOVED_AT_ONCE]);
        if (rowsOf(await connection.all(statements.add, [key, value, time + lifetime, time])).length > 0)
          return undefined;
        const [known] = rowsOf(await connection.all(statements.find, [key]));
        if (known !== undefined) return String(known["value"]);
      }
      throw new Error(`sqlIdempotencyStore: the key was neither kept nor found, ${MAX_TRIES} times`);
    },
    async set(key, value, lifetime) {
      await connection.run(statements.set, [key, value, now() + lifetime]);
    },
    async delete(key) {
      await connection.run(statements.remove, [key]);
    },
  };
}

function rowsOf(rows: unknown): readonly Record<string, unknown>[] {
  if (Array.isArray(rows)) return rows as Record<string, unknown>[];
  throw new TypeError("sqlIdempotencyStore: `connection.all` must return or promise an array of rows");
}

/** An expired value is replaced, so `add` returns a row whenever the value was kept. */
function statementsFor(dialect: SqlIdempotencyStoreOptions["dialect"], table: string) {
  const p = (place: number): string => (dialect === "sqlite" ? `?${place}` : `$${place}`);
  const index = `${table.replace(/^.*\./, "")}_expires`;
  const insert = `INSERT INTO ${table} (key, value, expires) VALUES (${p(1)}, ${p(2)}, ${p(3)})`;
  const replace = "ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires";
  return {
    schema: [
      `CREATE TABLE IF NOT EXISTS ${table} (key VARCHAR(100) PRIMARY KEY, value TEXT NOT NULL, expires BIGINT NOT NULL)`,
      `CREATE INDEX IF NOT EXISTS ${index} ON ${table} (expires)`,
    ],
    statements: {
      add: `${insert} ${replace} WHERE ${table}.expires <= ${p(4)} RETURNING key`,
      set: `${insert} ${replace}`,
      find: `SELECT value FROM ${table} WHERE key = ${p(1)}`,
      remove: `DELETE FROM ${table} WHERE key = ${p(1)}`,
      removeExpired:
        `DELETE FROM ${table} WHERE key IN ` +
        `(SELECT key FROM ${table} WHERE expires <= ${p(1)} ORDER BY expires LIMIT ${p(2)})`,
    },
  };
}

function parseOptions(options: Readonly<SqlIdempotencyStoreOptions>) {
  const name = "sqlIdempotencyStore";
  assertKnownOptions(name, options, OPTIONS, `idempotency({ store: ${name}({ … }) })`);
  const { dialect, connection, table = "idempotency_keys" } = options;
  if (!["sqlite", "postgresql"].includes(dialect)) throw optionError(name, "dialect", '"sqlite" or "postgresql"');
  if (
    typeof (connection as Partial<SqlConnection> | undefined)?.run !== "function" ||
    typeof connection.all !== "function"
  ) {
    throw optionError(name, "connection", "an object with the functions `run` and `all`");
  }
  if (typeof table !== "string" || !TABLE_REGEXP.test(table)) throw optionError(name, "table", "the name of a table");
  return { connection, ...statementsFor(dialect, table), now: functionOption(name, "now", options.now, Date.now) };
}
