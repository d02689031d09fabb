import { sql, type SqlBool } from "kysely";
import { matches, selectPage, type FilterExpression, type ListTerm, type PageRange } from "./pages.js";
import type { LogEventRow } from "./schema.js";
import type { Store } from "./store.js";

/** Which events a list contains, and in which order. */
export interface LogSelection {
  /** The earliest time, inclusive. */
  readonly since: string;
  /** The latest time, exclusive; `undefined` for no end. */
  readonly until: string | undefined;
  /** In lower case. An event must contain all of them. */
  readonly words: readonly string[];
  readonly expression: Readonly<FilterExpression> | undefined;
  readonly isDescending: boolean;
}

export type FoundLogEvent = Pick<LogEventRow, "sequence" | "published" | "uuid" | "event">;

/** The events of a page, and one more. */
export function findLogEvents(
  { reader, dialect }: Pick<Store, "reader" | "dialect">,
  orgId: string,
  { since, until, words, expression, isDescending }: LogSelection,
  page: PageRange,
): Promise<FoundLogEvent[]> {
  const direction = isDescending ? "desc" : "asc";
  const order: ListTerm[] = [
    { column: "published", direction },
    { column: "sequence", direction },
  ];
  const conditions = [
    sql<SqlBool>`published >= ${since}`,
    ...(until === undefined ? [] : [sql<SqlBool>`published < ${until}`]),
    ...(expression ? [matches(expression, dialect)] : []),
    ...words.map((word) => dialect.contains(sql.ref("search_text"), word)),
  ];
  const events = reader
    .selectFrom("log_events")
    .select(["sequence", "published", "uuid", "event"])
    .where("org_id", "=", orgId)
    .where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`);
  return selectPage(events, { ...page, after: page.after?.slice(0, order.length) }, order).execute();
}
