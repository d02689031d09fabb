import { sql, type SqlBool } from "kysely";
import { sizedColumns, type Sized } from "../contract/columns.js";
import type { LogEventRow } from "../contract/log-schema.js";
import { selectPage, skipRows, type ListTerm, type PageRange } from "../lists/pages.js";
import type { Search } from "../lists/search.js";

/** An event that may tell of a login that the routing rules were asked for. */
export type SignOnRow = Pick<LogEventRow, "sequence" | "published" | "event_type" | "event">;

/** The types of such events. */
export const SIGN_ON_TYPES = ["system.webfinger.query", "system.sso.redirect"] as const;
export type SignOnType = (typeof SIGN_ON_TYPES)[number];

/** When events were published. */
export interface LogSpan {
  /** Inclusive. */
  readonly since: string;
  /** Exclusive. */
  readonly until: string;
}

const ORDER: readonly ListTerm[] = [
  { column: "published", direction: "desc" },
  { column: "sequence", direction: "desc" },
];

/** The events of one type, the newest first. An index has them in this order. */
export function searchSignOns(orgId: string, type: SignOnType, { since, until }: LogSpan): Search<SignOnRow> {
  const conditions = ({ after }: PageRange) => [
    sql<SqlBool>`event_type = ${type}`,
    sql<SqlBool>`published >= ${since}`,
    // of a later page, its place again, in the form that tells PostgreSQL which partitions it needs
    after ? sql<SqlBool>`published <= ${after[0]}` : sql<SqlBool>`published < ${until}`,
  ];
  return {
    tests: 0,
    order: ORDER,
    skip: (db, range, size) =>
      skipRows(db, "log_events", [sql<SqlBool>`org_id = ${orgId}`, ...conditions(range)], {
        order: ORDER,
        range,
        size,
      }),
    find(db, range) {
      const own = db.selectFrom("log_events").where("org_id", "=", orgId);
      const events =
        range.inline === undefined
          ? own.select(["sequence", "published", "event_type", "event"])
          : own.select(sizedColumns("log_events", range.inline).as("bytes")).$castTo<Sized<SignOnRow>>();
      return selectPage(events, range, ORDER)
        .where(sql<SqlBool>`${sql.join(conditions(range), sql` and `)}`)
        .execute();
    },
  };
}
