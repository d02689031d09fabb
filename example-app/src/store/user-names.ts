import { keysetOrder } from "etiquette/keyset";
import type { CursorKey } from "etiquette/pagination";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { placePage, type PageRange } from "./pages.js";
import type { Db, ListedUserRow, UserRow } from "./schema.js";
import { lowerAscii, type Selection } from "./table.js";

/** The names of a user. Each column has an index on its lower case, `users_<column>_lower`. */
const NAME_COLUMNS = ["profile_login", "email", "first_name", "last_name"] as const;

/** How many tests decide whether a user is listed by a name: {@link LISTED}, and the other names. */
export const NAME_TESTS = 2 * NAME_COLUMNS.length;

/** Follows every character of a text, so that the texts that begin with `prefix` are before `prefix + LAST_CHARACTER`. */
const LAST_CHARACTER = "\u{10ffff}";

/** The users of a list without an expression, as in the index `users_listed`. */
export const LISTED = sql<SqlBool>`status <> 'DEPROVISIONED'`;

/** Whether one of the names begins with `prefix`, ignoring the case of A to Z. */
export function hasName(prefix: string): RawBuilder<SqlBool> {
  const first = lowerAscii(prefix);
  const end = first + LAST_CHARACTER;
  const ranges = NAME_COLUMNS.map((column) => sql`(${lower(column)} >= ${first} and ${lower(column)} < ${end})`);
  return sql`(${sql.join(ranges, sql` or `)}) is true`; // no index is used for it
}

interface NamedSelection {
  readonly name: string;
  readonly order: Selection<ListedUserRow>["order"];
}

/**
 * The listed users one of whose names begins with `name`, in the order of the least name that does. Each index is read from the place of
 * the page on, so a page costs the same for a short text that many users match.
 */
export function selectByName(db: Db, orgId: string, { name, order }: NamedSelection, page: PageRange) {
  const prefix = lowerAscii(name);
  const { terms, end } = placePage(page, order);
  const { slice } = page;

  const parts = NAME_COLUMNS.flatMap((column, i) => {
    // a user is found by its least name only
    const others = NAME_COLUMNS.filter((other) => other !== column).map((other) => {
      const isLess = NAME_COLUMNS.indexOf(other) < i ? sql`<=` : sql`<`;
      return sql`not (${lower(other)} >= ${prefix} and ${lower(other)} ${isLess} matched)`;
    });
    const tests = sql.join([LISTED, ...others, ...(end ? [end] : [])], sql` and `);
    return readByName(prefix, order, page).map(({ place, inOrder }) => {
      const named = sql`(select *, ${lower(column)} as matched from users) as named`;
      const rows = sql`select * from ${named} where org_id = ${orgId} and ${place}`;
      const limit = sql`order by ${inOrder} limit`;
      return slice
        ? sql`select * from (select * from (${rows} ${limit} ${slice.count}) as slice where ${tests} ${limit} ${page.fetchLimit}) as part`
        : sql`select * from (${rows} and ${tests} ${limit} ${page.fetchLimit}) as part`;
    });
  });
  return db
    .selectFrom(sql<UserRow & { matched: string }>`(${sql.join(parts, sql` union all `)})`.as("found"))
    .selectAll()
    .orderBy(terms)
    .limit(page.fetchLimit);
}

/** The place of the name with this number in the range, of all names of all users. */
export async function skipByName(
  db: Db,
  orgId: string,
  { name, order }: NamedSelection,
  { range, count }: Readonly<{ range: PageRange; count: number }>,
): Promise<CursorKey[] | undefined> {
  const { terms } = placePage(range, order);
  const parts = NAME_COLUMNS.flatMap((column) =>
    readByName(lowerAscii(name), order, range).map(
      ({ place, inOrder }) => sql`
        select * from (
          select matched, id from (select org_id, id, ${lower(column)} as matched from users) as named
          where org_id = ${orgId} and ${place} order by ${inOrder} limit ${count}
        ) as part
      `,
    ),
  );
  const { rows } = await sql<Pick<Required<ListedUserRow>, "matched" | "id">>`
    select * from (${sql.join(parts, sql` union all `)}) as found order by ${terms} limit 1 offset ${count - 1}
  `.execute(db);
  return rows[0] && [rows[0].matched, rows[0].id];
}

/** The reads of each index, from the place of a page on. */
function readByName(prefix: string, order: NamedSelection["order"], page: PageRange) {
  const { terms } = placePage(page, order);
  const isDescending = keysetOrder(page, order)[0]?.direction === "desc";
  const operator = isDescending ? sql`<` : sql`>`;
  const direction = isDescending ? sql`desc` : sql`asc`;
  const [matched, id] = page.before ?? page.after ?? [];
  const [first, last] = [sql`matched >= ${prefix}`, sql`matched < ${prefix + LAST_CHARACTER}`];
  if (matched === undefined) return [{ place: sql`${first} and ${last}`, inOrder: terms }];
  // two reads, because SQLite finds the place of a pair in columns only, not in an expression
  return [
    { place: sql`matched = ${matched} and id ${operator} ${id}`, inOrder: sql`id ${direction}` },
    { place: sql`matched ${operator} ${matched} and ${isDescending ? first : last}`, inOrder: terms },
  ];
}

function lower(column: (typeof NAME_COLUMNS)[number]): RawBuilder<string> {
  return sql`lower(${sql.ref(column)})`;
}
