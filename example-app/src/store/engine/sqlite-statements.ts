import type Database from "libsql";
import type { SqliteDatabase, SqliteStatement } from "kysely";
import type { ErrorListener } from "../contract/error-counts.js";

/** Prepared statements kept per connection: enough for all fixed texts and the latest filters. */
export const MAX_STATEMENTS = 200;

/** Longer texts, of long filters or of imports, are rarely repeated, and keeping them takes much memory. */
export const MAX_LENGTH = 4_096;

/**
 * Wrap `database` to prepare each text once. This saves time and memory: libsql's statements lie outside of V8's heap,
 * so the garbage collector doesn't see their size and would keep tens of thousands of them.
 *
 * @param onError called with each error of a statement
 */
export function reuseStatements(database: Database.Database, onError: ErrorListener = ignore): SqliteDatabase {
  const statements = new Map<string, ReusedStatement>();

  return {
    prepare(sql) {
      const known = statements.get(sql);
      statements.delete(sql); // inserted again below, as the youngest
      const statement = known ?? prepare(sql);
      if (sql.length <= MAX_LENGTH) statements.set(sql, statement);
      const [oldest] = statements.keys();
      if (statements.size > MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
      return statement;
    },
    close: () => database.close(),
  };

  function prepare(sql: string): ReusedStatement {
    try {
      return new ReusedStatement(database.prepare(sql), (error) => {
        statements.delete(sql);
        onError(error);
      });
    } catch (error) {
      onError(error);
      throw error;
    }
  }
}

function ignore(): void {
  // the caller gets the error
}

/** A statement that failed is not reused: it may still be in progress, and only garbage collection ends it. */
class ReusedStatement implements SqliteStatement {
  readonly #statement: Database.Statement;
  readonly #fail: ErrorListener;
  readonly reader: boolean;

  constructor(statement: Database.Statement, fail: ErrorListener) {
    this.#statement = statement;
    this.#fail = fail;
    this.reader = statement.reader;
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.#execute(() => this.#statement.all(parameters));
  }

  run(parameters: readonly unknown[]) {
    return this.#execute(() => this.#statement.run(parameters));
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(parameters);
  }

  #execute<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }
}
