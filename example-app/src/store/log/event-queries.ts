import { sql, type RawBuilder, type SqlBool } from "kysely";
import { sizedColumns, type Sized } from "../contract/columns.js";
import type { Dialect } from "../contract/dialect.js";
import { countTerms } from "../lists/filter-terms.js";
import { MESSAGES } from "./stored-facts.js";
import { divide, selectPage, skipRows, type FilterExpression, type ListTerm, type PageRange } from "../lists/pages.js";
import type { LogEntryRow } from "../contract/log-schema.js";
import type { Search } from "../lists/search.js";

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

export type FoundLogEvent = Omit<LogEntryRow, "org_id" | "search_text">;

/** Columns with an index in the order of the log, those with the fewest events for a value first. */
export const LOG_INDEXES: readonly string[] = ["request_id", "event_type"];

/** The events of an org. The selection is read from the index of one attribute, or else from that of the log. */
export function searchLog(
  dialect: Dialect,
  orgId: string,
  { since, until, words, expression, isDescending }: LogSelection,
): Search<FoundLogEvent> {
  const direction = isDescending ? "desc" : "asc";
  const order: ListTerm[] = [
    { column: "published", direction },
    { column: "sequence", direction },
  ];
  const { served, tested } = expression ? divide(expression, dialect, LOG_INDEXES) : { served: [], tested: [] };
  const conditions = [
    sql<SqlBool>`published >= ${since}`,
    ...(until === undefined ? [] : [sql<SqlBool>`published < ${until}`]),
    ...served,
  ];
  const tests = [...tested, ...words.map((word) => has(word, dialect))];

  return {
    tests: tests.length === 0 ? 0 : (expression ? countTerms(expression) : 0) + 2 * words.length,
    order,
    skip: (db, range, size) =>
      skipRows(db, "log_events", [sql<SqlBool>`org_id = ${orgId}`, ...conditions, ...weeksOf(range)], {
        order,
        range,
        size,
      }),
    find(db, range) {
      const entries = db.selectFrom("log_entries").where("org_id", "=", orgId);
      const events =
        range.inline === undefined
          ? entries.select([
              "sequence",
              "published",
              "uuid",
              "event_type",
              "severity",
              "request_id",
              "event",
              "decision",
            ])
          : entries.select(sizedColumns("log_entries", range.inline).as("bytes")).$castTo<Sized<FoundLogEvent>>();
      const all = [...conditions, ...weeksOf(range), ...tests];
      return selectPage(events, range, order)
        .where(sql<SqlBool>`${sql.join(all, sql` and `)}`)
        .execute();
    },
  };

  /** The place of a range again, in the form that tells PostgreSQL which partitions it needs. */
  function weeksOf({ after, slice }: PageRange): RawBuilder<SqlBool>[] {
    const [first, last] = isDescending ? [slice?.last, after] : [after, slice?.last];
    return [
      ...(first ? [sql<SqlBool>`published >= ${first[0]}`] : []),
      ...(last ? [sql<SqlBool>`published <= ${last[0]}`] : []),
    ];
  }
}

/** Whether an event has the word; the search text of a request lacks its id, type and message. */
function has(word: string, { contains }: Dialect): RawBuilder<SqlBool> {
  const types = Object.keys(MESSAGES).filter((type) => `${type}\n${MESSAGES[type]}`.toLowerCase().includes(word));
  const tests = [
    contains(sql.ref("search_text"), word),
    contains(sql.ref("request_id"), word),
    ...types.map((type) => sql<SqlBool>`event_type = ${type}`),
  ];
  return sql`(${sql.join(tests, sql` or `)}) is true`;
}
