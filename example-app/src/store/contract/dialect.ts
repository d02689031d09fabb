import type { FilterDialect } from "etiquette/filter";
import type { RawBuilder, SqlBool } from "kysely";
import type { LogEventRow, LogPlace } from "./log-schema.js";
import type { DbTransaction } from "./schema.js";

/** The columns of an event that do not depend on its place. */
export type LogColumns = Omit<LogEventRow, "org_id" | keyof LogPlace>;

/** The place of the first of several events. */
export interface LogStart extends LogPlace {
  readonly orgId: string;
}

/** The differences between SQLite and PostgreSQL. All other queries and the migrations are the same on both. */
export interface Dialect {
  /** Type of a text column that compares and sorts by bytes. */
  readonly text: RawBuilder<unknown>;
  /** The table with this name, if there is one. */
  readonly findTable: (name: string) => RawBuilder<unknown>;
  /** Ends a select in a writing transaction: no other transaction changes the rows until it ends. */
  readonly lockRows: RawBuilder<unknown>;
  /** Wait for a running import to end, then block other imports until `transaction` ends. */
  readonly lockImports: (transaction: DbTransaction) => Promise<void>;
  /** Notify the other processes that these orgs changed, when `transaction` commits. */
  readonly publish: (transaction: DbTransaction, orgIds: readonly string[]) => Promise<void>;
  /** The name of the dialect for the suite's filters. */
  readonly filter: FilterDialect;
  /** The text of a member of the JSON document in a column. */
  readonly memberOf: (column: string, member: string) => RawBuilder<string | null>;
  /** A table of the members of the JSON document in a column, and the JSON text of a member's value in it. */
  readonly membersOf: (column: string) => { readonly members: RawBuilder<unknown>; readonly value: RawBuilder<string> };
  /** Behind {@link lockRows}: leave out rows that another transaction has locked. */
  readonly skipLocked: RawBuilder<unknown>;
  /** Whether a user has no words, or those of an earlier revision; an index has these users. */
  readonly lacksWords: RawBuilder<SqlBool>;
  /** Where a text contains another, from 1; 0 if it doesn't. */
  readonly position: (text: RawBuilder<string>, part: RawBuilder<string>) => RawBuilder<number>;
  /** Whether a text contains another. */
  readonly contains: (text: RawBuilder<string>, part: string) => RawBuilder<SqlBool>;
  /** Add rows to the log. */
  readonly insertLogEvents: (transaction: DbTransaction, start: LogStart, rows: readonly LogColumns[]) => Promise<void>;
  /** Create the missing log partitions of the current and the following weeks. */
  readonly addLogPartitions: (transaction: DbTransaction, now: string) => Promise<void>;
  /** Delete some of the events that were published before this time. Returns whether more are left. */
  readonly expireLogEvents: (transaction: DbTransaction, before: string) => Promise<boolean>;
}
