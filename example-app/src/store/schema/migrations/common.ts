import { sql, type ColumnBuilderCallback, type CreateTableBuilder, type Kysely, type RawBuilder } from "kysely";

/*
 * What migrations share. It is frozen like them: the next migration may add to it, but what is here does not change.
 * Migrations import nothing else of the server, so that they do for ever what they did when they were released.
 */

/** The kind of the database. */
export type Database = "sqlite" | "postgresql";

/** Changes a schema of the version before. */
export type Up = (db: Kysely<unknown>, database: Database) => Promise<void>;

/** Type of a text column that compares and sorts by bytes. */
export const textOf = (database: Database): RawBuilder<unknown> =>
  database === "sqlite" ? sql`text` : sql`text collate "C"`;

export const required: ColumnBuilderCallback = (column) => column.notNull();

export const referringToOrg: ColumnBuilderCallback = (column) =>
  column.notNull().references("orgs.id").onDelete("cascade");

/** A function that begins the definition of a table of an org's records with the columns that they all have. */
export function createTableOfOrg({ schema }: Kysely<unknown>, database: Database) {
  const text = textOf(database);
  /** @param unique columns whose values are unique in the org; `findViolatedColumn` relies on the constraints' names */
  return (name: string, { texts, unique }: Readonly<{ texts: string[]; unique: string[] }>) => {
    let table: CreateTableBuilder<string, string> = schema
      .createTable(name)
      .addColumn("org_id", text, referringToOrg)
      .addPrimaryKeyConstraint(`${name}_pk`, ["org_id", "id"] as never[]);
    for (const column of ["id", "created", "last_updated", ...texts]) table = table.addColumn(column, text, required);
    for (const column of unique) table = table.addUniqueConstraint(`${name}_${column}`, ["org_id", column]);
    return table;
  };
}

/** Adds an index, on PostgreSQL while others write. */
export interface IndexStep {
  readonly index: Readonly<{
    name: string;
    table: string;
    columns: readonly string[];
    /** Of which rows, for each kind of database. @default all; always in a table of partitions */
    where?: Readonly<Record<Database, string>>;
  }>;
}

/** Changes rows. Each call changes some that need it, a thousand at most, and says how many; it is called until that is 0. */
interface BatchStep {
  readonly batch: (db: Kysely<unknown>, database: Database) => Promise<number>;
}

/** Removes what the version before no longer needs. */
export interface ContractStep {
  readonly contract: Up;
}

/** One step to a version of the schema. A function adds tables and columns; it reads no rows. */
export type Migration = Up | IndexStep | BatchStep | ContractStep;
