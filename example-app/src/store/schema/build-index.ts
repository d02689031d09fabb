import { sql, type RawBuilder } from "kysely";
import type { Db } from "../contract/schema.js";
import type { IndexStep } from "./migrations/common.js";
import { withShortLocks, type Patience } from "./short-locks.js";

type Index = IndexStep["index"];

/** PostgreSQL cuts longer names. */
const MAX_NAME = 63;

/**
 * Make an index while others write. What an earlier try left is used if it is whole, and made anew if not. On a table of
 * partitions each gets its own; partitions that are added meanwhile get theirs from the table.
 */
export async function buildIndex(db: Db, { name, table, columns, where }: Index, patience: Patience): Promise<void> {
  const keys = sql`(${sql.join(columns.map((column) => sql.ref(column)))})`;
  if (!(await isPartitioned(db, table))) {
    const condition = where ? sql` where ${sql.raw(where.postgresql)}` : sql``;
    await buildOne(db, name, sql`${sql.table(table)} ${keys}${condition}`);
    return;
  }
  await withShortLocks(db, patience, (transaction) =>
    sql`create index if not exists ${sql.ref(name)} on only ${sql.table(table)} ${keys}`.execute(transaction),
  );
  for (const partition of await listWithout(db, table, name)) {
    const own = `${partition}_${name}`.slice(-MAX_NAME);
    await buildOne(db, own, sql`${sql.table(partition)} ${keys}`);
    await withShortLocks(db, patience, (transaction) =>
      sql`alter index ${sql.ref(name)} attach partition ${sql.ref(own)}`.execute(transaction),
    );
  }
}

async function buildOne(db: Db, name: string, place: RawBuilder<unknown>): Promise<void> {
  const isValid = await findIndex(db, name);
  if (isValid === true) return;
  if (isValid === false) await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db);
  await sql`create index concurrently ${sql.ref(name)} on ${place}`.execute(db);
}

/** @returns whether it is whole; `undefined` when there is none */
async function findIndex(db: Db, name: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})
  `.execute(db);
  return rows[0]?.isValid;
}

async function isPartitioned(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`select from pg_class where oid = to_regclass(${table}) and relkind = 'p'`.execute(db);
  return rows.length > 0;
}

/** The partitions that have no part of the index. */
async function listWithout(db: Db, table: string, index: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = to_regclass(${table}) and not exists (
      select from pg_inherits as parts join pg_index on indexrelid = parts.inhrelid
      where parts.inhparent = to_regclass(${index}) and indrelid = pg_class.oid
    ) order by relname
  `.execute(db);
  return rows.map(({ name }) => name);
}
