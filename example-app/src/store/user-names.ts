import { keysetOrder } from "etiquette/keyset";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { placePage, type PageRange } from "./pages.js";
import type { Db, ListedUserRow, UserRow } from "./schema.js";
import { lowerAscii, type Selection } from "./table.js";

/** The names of a user. Each column has an index on its lower case, `users_<column>_lower`. */
const NAME_COLUMNS = ["profile_login", "email", "first_name", "last_name"] as const;

/** Follows every character of a text, so that the texts that begin with `prefix` are before `prefix + LAST_CHARACTER`. */
const LAST_CHARACTER = "\u{10ffff}";

/** The users of a list without an expression, as in the index `users_listed`. */
export const LISTED = sql<SqlBool>`status <> 'DEPROVISIONED'`;

/** Whether one of the names begins with `prefix`, ignoring the case of A to Z. */
export function hasName(prefix: string): RawBuilder<SqlBool> {
  const first = lowerAscii(prefix);
  const end = first + LAST_CHARACTER;
  const ranges = NAME_COLUMNS.map((column) => sql`(${lower(column)} >= ${first} and ${lower(column)} < ${end})`);
  return sql`(${sql.join(ranges, sql` or `)})`;
}

/**
 * The listed users one of whose names begins with `name`, in the order of the least name that does. Each index is read from the place of
 * the page on, so a page costs the same for a short text that many users match.
 */
export function selectByName(
  db: Db,
  orgId: string,
  { name, order }: Readonly<{ name: string; order: Selection<ListedUserRow>["order"] }>,
  page: PageRange,
) {
  const prefix = lowerAscii(name);
  const { terms } = placePage(page, order);
  const isDescending = keysetOrder(page, order)[0]?.direction === "desc";
  const operator = isDescending ? sql`<` : sql`>`;
  const direction = isDescending ? sql`desc` : sql`asc`;
  const [matched, id] = page.before ?? page.after ?? [];
  const [first, last] = [sql`matched >= ${prefix}`, sql`matched < ${prefix + LAST_CHARACTER}`];
  // two reads, because SQLite finds the place of a pair in columns only, not in an expression
  const reads =
    matched === undefined
      ? [{ place: sql`${first} and ${last}`, inOrder: terms }]
      : [
          { place: sql`matched = ${matched} and id ${operator} ${id}`, inOrder: sql`id ${direction}` },
          { place: sql`matched ${operator} ${matched} and ${isDescending ? first : last}`, inOrder: terms },
        ];

  const parts = NAME_COLUMNS.flatMap((column, i) => {
    // a user is found by its least name only
    const others = NAME_COLUMNS.filter((other) => other !== column).map((other) => {
      const isLess = NAME_COLUMNS.indexOf(other) < i ? sql`<=` : sql`<`;
      return sql`not (${lower(other)} >= ${prefix} and ${lower(other)} ${isLess} matched)`;
    });
    return reads.map(
      ({ place, inOrder }) => sql`
        select * from (
          select * from (select *, ${lower(column)} as matched from users) as named
          where org_id = ${orgId} and ${place} and ${LISTED} and ${sql.join(others, sql` and `)}
          order by ${inOrder} limit ${page.fetchLimit}
        ) as part
      `,
    );
  });
  return db
    .selectFrom(sql<UserRow & { matched: string }>`(${sql.join(parts, sql` union all `)})`.as("found"))
    .selectAll()
    .orderBy(terms)
    .limit(page.fetchLimit);
}

function lower(column: (typeof NAME_COLUMNS)[number]): RawBuilder<string> {
  return sql`lower(${sql.ref(column)})`;
}
