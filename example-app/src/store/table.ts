import { sql } from "kysely";
import { ID_REGEXP } from "../model/ids.js";
import type { Dialect } from "./dialects.js";
import { placePage, type FilterExpression, type ListTerm, type PageRange } from "./pages.js";
import type { Db, Tables } from "./schema.js";
import type { WriteTransaction } from "./transaction.js";

/** The tables whose rows have the key `(org_id, id)`. */
export type RecordTable = "api_tokens" | "idps" | "issuers" | "rules" | "trusted_origins" | "users" | "zones";

const KEY: ReadonlySet<string> = new Set(["org_id", "id"]);

/** Which rows a list contains, and in which order. */
export interface Selection<Row> {
  /** All terms have one direction, and together they are unique for each row. */
  readonly order: readonly (ListTerm & { readonly column: keyof Row & string })[];
  /** Rows whose `name` contains this text, ignoring the case of A to Z; of users see `USERS`. */
  readonly name?: string | undefined;
  /** Rows with these values in their columns. */
  readonly equals?: Readonly<Partial<Row>> | undefined;
  readonly expression?: Readonly<FilterExpression> | undefined;
}

/** The records of an org, for reading. */
export interface ReadableTable<Row, R> {
  readonly name: keyof Tables;
  /** The rows of a page, and one more. */
  list(
    store: Readonly<{ reader: Db; dialect: Dialect }>,
    orgId: string,
    selection: Selection<Row>,
    page: PageRange,
  ): Promise<Row[]>;
  toRecord(row: Row): R;
  /** @param lock `dialect.lockRows` in a writing transaction: blocks other changes of the record until it ends */
  find(db: Db, orgId: string, id: string, lock?: Dialect["lockRows"]): Promise<R | undefined>;
}

/** The records of an org. Writing functions return the record as it is stored. */
export interface Table<Row, R> extends ReadableTable<Row, R> {
  insert(transaction: WriteTransaction, orgId: string, record: R): Promise<R>;
  /** @param before the current record, locked */
  update(transaction: WriteTransaction, orgId: string, before: R, after: R): Promise<R>;
  remove(transaction: WriteTransaction, orgId: string, record: R): Promise<void>;
}

/** The records of one table, one per row. */
export function createTable<T extends RecordTable, R extends { readonly id: string }>(
  name: T,
  toRecord: (row: Tables[T]) => R,
  fromRecord: (orgId: string, record: R) => Tables[T],
): Table<Tables[T], R> {
  const table = sql.table(name);
  const at = (orgId: string, id: string) => sql`where org_id = ${orgId} and id = ${id}`;

  return {
    name,
    toRecord,

    async list({ reader, dialect }, orgId, { order, name: part, equals = {} }, page) {
      const { terms, place } = placePage(page, order);
      const conditions = [
        sql`org_id = ${orgId}`,
        ...(place ? [place] : []),
        ...(part === undefined ? [] : [dialect.contains(sql`lower(name)`, lowerAscii(part))]),
        ...Object.entries(equals).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
      ];
      const { rows } = await sql<Tables[T]>`
        select * from ${table} where ${sql.join(conditions, sql` and `)} order by ${terms} limit ${page.fetchLimit}
      `.execute(reader);
      return rows;
    },

    async find(db, orgId, id, lock = sql``) {
      if (!ID_REGEXP.test(id)) return undefined; // the text may contain characters that a database refuses
      const { rows } = await sql<Tables[T]>`select * from ${table} ${at(orgId, id)} ${lock}`.execute(db);
      return rows[0] && toRecord(rows[0]);
    },

    async insert({ db }, orgId, record) {
      const row = fromRecord(orgId, record);
      const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
      await sql`insert into ${table} (${columns}) values (${sql.join(Object.values(row))})`.execute(db);
      return record;
    },

    async update({ db }, orgId, _before, record) {
      const entries = Object.entries(fromRecord(orgId, record)).filter(([column]) => !KEY.has(column));
      const columns = sql.join(entries.map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
      await sql`update ${table} set ${columns} ${at(orgId, record.id)}`.execute(db);
      return record;
    },

    async remove({ db }, orgId, { id }) {
      await sql`delete from ${table} ${at(orgId, id)}`.execute(db);
    },
  };
}

/** The same as `lower()` in both databases, for text that compares by bytes. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
