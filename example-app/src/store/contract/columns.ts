import { sql, type RawBuilder } from "kysely";
import type { LogEntryRow, RevisionChangeRow } from "./log-schema.js";
import type { IdpRow, RuleRow, UserRow, ZoneRow } from "./schema.js";

/*
 * Rows of these tables have texts of which clients decide the length. Their bytes count for quotas, pages and slices. Rows of the
 * other tables have at most some kilobytes. Both engines know `octet_length` without reading the text itself.
 */

/** In the order of the table. What is optional counts too, unless it is null. */
type Columns<Row> = Readonly<Record<keyof Row, "bounded" | "counted" | "optional">>;

const RECORD = { org_id: "bounded", id: "bounded", created: "bounded", last_updated: "bounded" } as const;

const LOG_COLUMNS = {
  sequence: "bounded",
  published: "bounded",
  uuid: "bounded",
  event_type: "bounded",
  severity: "bounded",
  request_id: "bounded",
  event: "counted",
} as const satisfies Columns<Omit<LogEntryRow, "org_id" | "search_text" | "decision">>;

const COLUMNS = {
  users: {
    ...RECORD,
    login: "bounded",
    status: "bounded",
    activated: "bounded",
    status_changed: "bounded",
    last_login: "bounded",
    profile: "counted",
    revision: "bounded",
    profile_login: "bounded",
    email: "bounded",
    first_name: "bounded",
    last_name: "bounded",
    words: "bounded",
    words_revision: "bounded",
  } satisfies Columns<UserRow>,
  rules: {
    ...RECORD,
    name: "bounded",
    priority: "bounded",
    status: "bounded",
    system: "bounded",
    conditions: "counted",
    actions: "counted",
    position: "bounded",
  } satisfies Columns<RuleRow>,
  idps: {
    ...RECORD,
    name: "bounded",
    type: "bounded",
    status: "bounded",
    protocol: "counted",
    metadata: "bounded",
    metadata_due: "bounded",
    certificate_expires: "bounded",
    certificate_warned: "bounded",
  } satisfies Columns<IdpRow>,
  zones: {
    ...RECORD,
    name: "bounded",
    status: "bounded",
    gateways: "counted",
    proxies: "counted",
  } satisfies Columns<ZoneRow>,
  revision_changes: {
    org_id: "bounded",
    revision: "bounded",
    place: "bounded",
    kind: "bounded",
    object_id: "bounded",
    name: "bounded",
    event: "bounded",
    priority_before: "bounded",
    priority_after: "bounded",
    before: "counted",
  } satisfies Columns<RevisionChangeRow>,
  log_entries: { ...LOG_COLUMNS, decision: "optional" },
  log_events: LOG_COLUMNS,
} as const;

export type CountedTable = keyof typeof COLUMNS;

/** The columns of which clients decide the length. */
function countedColumns(table: string): string[] {
  return Object.entries(columnsOf(table)).flatMap(([column, length]) => (length === "bounded" ? [] : [column]));
}

function columnsOf(table: string): Columns<Record<string, unknown>> {
  return (COLUMNS as Readonly<Record<string, Columns<Record<string, unknown>>>>)[table] ?? {};
}

/** The bytes of a row, in UTF-8. */
export function bytesOf(table: string): RawBuilder<number> {
  const columns = columnsOf(table);
  const lengths = countedColumns(table).map((column) =>
    columns[column] === "optional" ? `coalesce(octet_length(${column}), 0)` : `octet_length(${column})`,
  );
  return sql.raw(lengths.length === 0 ? "0" : `(${lengths.join(" + ")})`);
}

/** The same of a row that was read or is to be written. */
export function measureRow(table: string, row: object): number {
  const texts = row as Readonly<Record<string, string>>;
  return countedColumns(table).reduce((sum, column) => sum + Buffer.byteLength(texts[column] ?? ""), 0);
}

/** A row that was selected with {@link selectColumns}. */
export type Sized<Row> = Row & {
  /** Absent if all columns were selected. */
  readonly bytes?: number | undefined;
};

/**
 * The columns of a table, then the bytes of each row, which get no name. Of a row with more than `inline` bytes, the texts
 * of which clients decide the length are null, and so are the columns behind them: SQLite would read the text to find these.
 * So sort by `table.column`: a column alone is this one.
 *
 * @param kept columns behind that are never null
 * @param unread columns that are left out
 */
export function sizedColumns(
  table: CountedTable,
  inline: number,
  { kept = [], unread = [] }: { readonly kept?: readonly string[]; readonly unread?: readonly string[] } = {},
): RawBuilder<number> {
  const names = Object.keys(COLUMNS[table]).filter((name) => !unread.includes(name));
  const [first = ""] = countedColumns(table);
  const place = names.indexOf(first);
  const bytes = bytesOf(table);
  const before = names.slice(0, place).map((name) => `${table}.${name}`);
  const behind = names.slice(place).map((name) => {
    const column = sql.ref(name);
    if (kept.includes(name)) return column;
    return sql`case when ${bytes} <= ${inline} then ${column} end as ${column}`;
  });
  return sql`${sql.raw(before.join(", "))}, ${sql.join(behind)}, ${bytes}`;
}

/** {@link sizedColumns} and their bytes, or all columns without `inline` and of tables that have no long texts. */
export function selectColumns(
  table: string,
  inline: number | undefined,
  kept?: readonly string[],
): RawBuilder<unknown> {
  const isSized = inline !== undefined && Object.hasOwn(COLUMNS, table);
  return isSized ? sql`${sizedColumns(table as CountedTable, inline, kept && { kept })} as bytes` : sql`*`;
}
