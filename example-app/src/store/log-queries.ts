import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Dialect } from "./dialects.js";
import { MESSAGES } from "./log-facts.js";
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

export type FoundLogEvent = Omit<LogEventRow, "org_id" | "search_text">;

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
    ...words.map((word) => has(word, dialect)),
  ];
  const events = reader
    .selectFrom("log_entries")
    .select(["sequence", "published", "uuid", "event_type", "severity", "request_id", "event"])
    .where("org_id", "=", orgId)
    .where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`);
  return selectPage(events, { ...page, after: page.after?.slice(0, order.length) }, order).execute();
}

/** Whether an event has the word; the search text of a request lacks its id, type and message. */
function has(word: string, { contains }: Dialect): RawBuilder<SqlBool> {
  const types = Object.keys(MESSAGES).filter((type) => `${type}\n${MESSAGES[type]}`.toLowerCase().includes(word));
  const tests = [
    contains(sql.ref("search_text"), word),
    contains(sql.ref("request_id"), word),
    ...types.map((type) => sql<SqlBool>`event_type = ${type}`),
  ];
  return sql`(${sql.join(tests, sql` or `)})`;
}
