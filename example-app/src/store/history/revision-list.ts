import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { RevisionChangeRow, RevisionRow } from "../contract/log-schema.js";
import type { Db } from "../contract/schema.js";
import { placePage, selectPage, skipRows, type PageRange } from "../lists/pages.js";
import type { Search } from "../lists/search.js";

export interface RevisionSelection {
  /** The id of a record that the revisions changed. */
  readonly target?: string | undefined;
  /** Inclusive. */
  readonly since?: string | undefined;
  /** Exclusive. */
  readonly until?: string | undefined;
}

/** The newest first. */
export const REVISION_ORDER = [{ column: "revision", direction: "desc" }] as const;

/** By their place in a revision. */
const CHANGE_ORDER = [{ column: "place" }] as const;

/** The list of an org's revisions. An index has the rows of each selection. */
export function searchRevisions(orgId: string, selection: RevisionSelection): Search<RevisionRow> {
  const ofOrg = sql<SqlBool>`org_id = ${orgId}`;
  const bounds = boundsOf(orgId, selection);
  return {
    tests: 0,
    order: REVISION_ORDER,
    skip: (db, range, size) => skipRows(db, "revisions", [ofOrg], { order: REVISION_ORDER, range, size }),
    async find(db, range) {
      const { terms, place } = placePage(range, REVISION_ORDER);
      const conditions = sql.join([ofOrg, ...(place ? [place] : []), ...bounds], sql` and `);
      const { target } = selection;
      const rows =
        target === undefined
          ? conditions
          : sql`${ofOrg} and revision in (
        select revision from revision_changes where ${conditions} and object_id = ${target}
        group by revision order by ${terms} limit ${range.fetchLimit}
      )`;
      const query = sql<RevisionRow>`select * from revisions where ${rows} order by ${terms} limit ${range.fetchLimit}`;
      return (await query.execute(db)).rows;
    },
  };
}

/** Revisions are in the order of their dates, so dates bound their numbers. */
function boundsOf(orgId: string, { since, until }: RevisionSelection): RawBuilder<SqlBool>[] {
  const find = (condition: RawBuilder<unknown>, order: "asc" | "desc") => {
    const direction = sql.raw(order);
    return sql`(
      select revision from revisions where org_id = ${orgId} and published ${condition}
      order by published ${direction}, revision ${direction} limit 1
    )`;
  };
  return [
    ...(since === undefined ? [] : [sql<SqlBool>`revision >= ${find(sql`>= ${since}`, "asc")}`]),
    ...(until === undefined ? [] : [sql<SqlBool>`revision <= ${find(sql`< ${until}`, "desc")}`]),
  ];
}

export function findRevision(db: Db, orgId: string, revision: number): Promise<RevisionRow | undefined> {
  return db
    .selectFrom("revisions")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("revision", "=", revision)
    .executeTakeFirst();
}

/** The newest revision up to this number, or made at this time or before. */
export function findLatest(
  db: Db,
  orgId: string,
  limit: Readonly<{ revision: number } | { published: string }>,
): Promise<Pick<RevisionRow, "revision" | "published"> | undefined> {
  const revisions = db.selectFrom("revisions").select(["revision", "published"]).where("org_id", "=", orgId).limit(1);
  return "revision" in limit
    ? revisions.where("revision", "<=", limit.revision).orderBy("revision", "desc").executeTakeFirst()
    : revisions
        .where("published", "<=", limit.published)
        .orderBy("published", "desc")
        .orderBy("revision", "desc")
        .executeTakeFirst();
}

/** A change without what was before. */
export type ChangeRow = Omit<RevisionChangeRow, "before" | "org_id">;

/** The changes of a page of a revision, and one more; those of one record with its id as `target`. */
export function findChanges(
  db: Db,
  orgId: string,
  { revision, target }: Readonly<{ revision: number; target: string | undefined }>,
  page: PageRange,
): Promise<ChangeRow[]> {
  const all = db
    .selectFrom("revision_changes")
    .select(["revision", "place", "kind", "object_id", "name", "event", "priority_before", "priority_after"])
    .where("org_id", "=", orgId)
    .where("revision", "=", revision);
  const changes = target === undefined ? all : all.where("object_id", "=", target);
  return selectPage(changes, page, CHANGE_ORDER).execute();
}
