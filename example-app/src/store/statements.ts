import type Database from "libsql";
import type { SqliteDatabase, SqliteStatement } from "kysely";

/** Statements that are kept of a connection: all those of fixed text, and the latest of the filters that were asked for. */
export const MAX_STATEMENTS = 200;

/** The text of a long filter, or of an import, seldom comes twice and takes much memory when it is kept. */
export const MAX_LENGTH = 4_096;

/**
 * `database`, preparing a text once instead of each time. Beside the time this saves memory: what libsql prepares lies
 * outside of V8's heap, whose collector does not see how much it is and leaves tens of thousands of statements there.
 */
export function reuseStatements(database: Database.Database): SqliteDatabase {
  const statements = new Map<string, ReusedStatement>();

  return {
    prepare(sql) {
      const known = statements.get(sql);
      statements.delete(sql); // to become the youngest
      const statement = known ?? new ReusedStatement(database.prepare(sql), () => statements.delete(sql));
      if (sql.length <= MAX_LENGTH) statements.set(sql, statement);
      const [oldest] = statements.keys();
      if (statements.size > MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
      return statement;
    },
    close: () => database.close(),
  };
}

/** One that failed is not used again: it may still be in progress, and only the collector ends it. */
class ReusedStatement implements SqliteStatement {
  readonly #statement: Database.Statement;
  readonly #forget: () => void;
  readonly reader: boolean;

  constructor(statement: Database.Statement, forget: () => void) {
    this.#statement = statement;
    this.#forget = forget;
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
      this.#forget();
      throw error;
    }
  }
}
