import { sql, type RawBuilder, type SqlBool } from "kysely";
import { ID_REGEXP } from "../../model/ids.js";
import type { QuotaName } from "../../model/quotas.js";
import { bytesOf, measureRow, selectColumns, type Sized } from "../contract/columns.js";
import type { Dialect } from "../contract/dialect.js";
import { orderIn, placePage, skipRows, type FilterExpression, type ListTerm } from "../lists/pages.js";
import type { Db, Tables } from "../contract/schema.js";
import type { Search } from "../lists/search.js";
import type { WriteTransaction } from "../contract/transaction.js";
import { changeUsage, type Usage } from "./usage.js";

/** The tables whose rows have the key `(org_id, id)`. */
export type RecordTable =
  | "api_tokens"
  | "idps"
  | "issuers"
  | "routing_tests"
  | "rules"
  | "trusted_origins"
  | "users"
  | "zones";

/** The quota of the records in each table; issuers have none, because only imports add them. */
const QUOTA_OF: Readonly<Partial<Record<RecordTable, QuotaName>>> = {
  api_tokens: "apiTokens",
  idps: "idps",
  routing_tests: "routingTests",
  rules: "rules",
  trusted_origins: "trustedOrigins",
  users: "users",
  zones: "zones",
};

/** The quota of the bytes of the records in each table, see {@link measureRow}. */
const BYTES_QUOTA_OF: Readonly<Partial<Record<RecordTable, QuotaName>>> = {
  idps: "idpBytes",
  rules: "ruleBytes",
  users: "userBytes",
  zones: "zoneBytes",
};

const KEY: ReadonlySet<string> = new Set(["org_id", "id"]);

/** Which rows a list contains, and in which order. */
export interface Selection<Row> {
  /** All terms have one direction, and together they are unique for each row. */
  readonly order: readonly (ListTerm & { readonly column: keyof Row & string })[];
  /** Rows whose `name` contains this text, ignoring the case of A to Z; of users see `USERS`. */
  readonly name?: string | undefined;
  /** Rows with these values in their columns. */
  readonly equals?: Readonly<Partial<Row>> | undefined;
  /** Rows that have none of `texts` in a column, which is a JSON array. */
  readonly without?: Readonly<{ column: keyof Row & string; texts: readonly string[] }> | undefined;
  readonly expression?: Readonly<FilterExpression> | undefined;
}

/** The records of an org, for reading. */
export interface ReadableTable<Row, R> {
  readonly name: keyof Tables;
  /** The list of an org's rows. */
  search(dialect: Dialect, orgId: string, selection: Selection<Row>): Search<Row>;
  toRecord(row: Row): R;
  /** @param lock `dialect.lockRows` in a writing transaction: blocks other changes of the record until it ends */
  find(db: Db, orgId: string, id: string, lock?: Dialect["lockRows"]): Promise<R | undefined>;
}

/** The records of an org. Writing functions return the record as it is stored. */
export interface Table<Row, R> extends ReadableTable<Row, R> {
  /** @throws {QuotaError} when the org may not have more */
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

    search(dialect, orgId, { order, name: part, equals = {}, without }) {
      const ofOrg = sql<SqlBool>`org_id = ${orgId}`;
      const tests = [
        ...(part === undefined ? [] : [dialect.contains(sql`lower(name)`, lowerAscii(part))]),
        ...Object.entries(equals).map(([column, value]) => sql<SqlBool>`${sql.ref(column)} = ${value}`),
        ...(without && without.texts.length > 0 ? [hasNone(dialect, without)] : []),
      ];
      return {
        tests: tests.length,
        order,
        skip: (db, range, size) => skipRows(db, name, [ofOrg], { order, range, size }),
        async find(db, range) {
          const { terms, place } = placePage(range, orderIn(name, order));
          const conditions = [ofOrg, ...(place ? [place] : []), ...tests];
          const { rows } = await sql<Sized<Tables[T]>>`
            select ${selectColumns(name, range.inline)} from ${table} where ${sql.join(conditions, sql` and `)} order by ${terms} limit ${range.fetchLimit}
          `.execute(db);
          return rows;
        },
      };
    },

    async find(db, orgId, id, lock = sql``) {
      if (!ID_REGEXP.test(id)) return undefined; // the text may contain characters that a database refuses
      const { rows } = await sql<Tables[T]>`select * from ${table} ${at(orgId, id)} ${lock}`.execute(db);
      return rows[0] && toRecord(rows[0]);
    },

    async insert(transaction, orgId, record) {
      const row = fromRecord(orgId, record);
      await changeUsage(transaction, orgId, usageOf(name, 1, measureRow(name, row)));
      await sql`insert into ${table} ${valuesOf(row)}`.execute(transaction.db);
      transaction.changes.add(orgId, name, undefined, record);
      return record;
    },

    async update(transaction, orgId, before, record) {
      const [old, row] = [fromRecord(orgId, before), fromRecord(orgId, record)];
      const growth = measureRow(name, row) - measureRow(name, old);
      await changeUsage(transaction, orgId, usageOf(name, 0, growth));
      await sql`update ${table} set ${assignments(row)} ${at(orgId, record.id)}`.execute(transaction.db);
      transaction.changes.add(orgId, name, before, record);
      return record;
    },

    async remove(transaction, orgId, record) {
      const { rows } = await sql<{ bytes: number }>`
        delete from ${table} ${at(orgId, record.id)} returning ${bytesOf(name)} as bytes
      `.execute(transaction.db);
      await changeUsage(transaction, orgId, usageOf(name, -rows.length, -(rows[0]?.bytes ?? 0)));
      transaction.changes.add(orgId, name, record, undefined);
    },
  };
}

function valuesOf(row: object): RawBuilder<unknown> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  return sql`(${columns}) values (${sql.join(Object.values(row))})`;
}

/** All columns but those of the key. */
function assignments(row: object): RawBuilder<unknown> {
  const entries = Object.entries(row).filter(([column]) => !KEY.has(column));
  return sql.join(entries.map(([column, value]) => sql`${sql.ref(column)} = ${value}`));
}

/** How the quotas are used when so many records with so many bytes come to a table. */
function usageOf(table: RecordTable, count: number, bytes: number): Usage {
  const quota = QUOTA_OF[table];
  const bytesQuota = BYTES_QUOTA_OF[table];
  return { ...(quota && { [quota]: count }), ...(bytesQuota && { [bytesQuota]: bytes }) };
}

/** Whether a column, a JSON array, has none of the texts. */
function hasNone(
  dialect: Dialect,
  { column, texts }: Readonly<{ column: string; texts: readonly string[] }>,
): RawBuilder<SqlBool> {
  const list = sql<string>`${sql.ref(column)}`;
  const terms = texts.map((member) => sql`not ${dialect.contains(list, JSON.stringify(member))}`);
  return sql<SqlBool>`(${sql.join(terms, sql` and `)})`;
}

/** The same as `lower()` in both databases, for text that compares by bytes. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
