import { keysetOrder } from "etiquette/keyset";
import type { CursorKey } from "etiquette/pagination";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { bytesOf, selectColumns } from "../contract/columns.js";
import { placePage, type PageRange, type SliceSize } from "../lists/pages.js";
import type { ListedUserRow } from "../contract/schema.js";
import { lowerAscii, type Selection } from "./table.js";

/** The names of a user. Each column has an index on its lower case, `users_<column>_lower`. */
const NAME_COLUMNS = ["profile_login", "email", "first_name", "last_name"] as const;

/** What the conditions on a user read. */
const KEPT = [...NAME_COLUMNS, "revision", "words_revision"] as const;

/** How many tests decide whether a user is listed by a name: {@link LISTED}, and the other names. */
export const NAME_TESTS = 2 * NAME_COLUMNS.length;

/** Follows every character of a text, so that the texts that begin with `prefix` are before `prefix + LAST_CHARACTER`. */
export const LAST_CHARACTER = "\u{10ffff}";

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
 * Selects together the listed users one of whose names begins with `name`, in the order of the least name that does. Each
 * index is read from the place of the page on.
 *
 * @param which of the users
 */
export function selectByName(
  orgId: string,
  { name, order }: NamedSelection,
  page: PageRange,
  which: RawBuilder<SqlBool>,
): RawBuilder<unknown>[] {
  const prefix = lowerAscii(name);
  const { end } = placePage(page, order);
  const { slice } = page;
  return NAME_COLUMNS.flatMap((column, i) => {
    // a user is found by its least name only
    const others = NAME_COLUMNS.filter((other) => other !== column).map((other) => {
      const isLess = NAME_COLUMNS.indexOf(other) < i ? sql`<=` : sql`<`;
      return sql`not (${lower(other)} >= ${prefix} and ${lower(other)} ${isLess} matched)`;
    });
    const tests = sql.join([LISTED, which, ...others, ...(end ? [end] : [])], sql` and `);
    return readByName(prefix, order, page).map(({ place, inOrder }) => {
      const named = sql`(select ${selectColumns("users", page.inline, KEPT)}, ${lower(column)} as matched from users) as named`;
      const rows = sql`select * from ${named} where org_id = ${orgId} and ${place}`;
      const limit = sql`order by ${inOrder} limit`;
      return slice
        ? sql`select * from (${rows} ${limit} ${slice.count}) as slice where ${tests} ${limit} ${page.fetchLimit}`
        : sql`${rows} and ${tests} ${limit} ${page.fetchLimit}`;
    });
  });
}

/** The rows of a slice of all names of all users. */
export function skipByName(
  orgId: string,
  { name, order }: NamedSelection,
  { range, size }: Readonly<{ range: PageRange; size: SliceSize }>,
): RawBuilder<unknown>[] {
  return NAME_COLUMNS.flatMap((column) =>
    readByName(lowerAscii(name), order, range).map(
      ({ place, inOrder }) => sql`
        select matched, id, bytes from (
          select org_id, id, ${bytesOf("users")} as bytes, ${lower(column)} as matched from users
        ) as named
        where org_id = ${orgId} and ${place} order by ${inOrder} limit ${size.count}
      `,
    ),
  );
}

/** The reads of each index, from the place of a page on. */
function readByName(prefix: string, order: NamedSelection["order"], page: PageRange) {
  const { terms } = placePage(page, order);
  const isDescending = keysetOrder(page, order)[0]?.direction === "desc";
  const operator = isDescending ? sql`<` : sql`>`;
  const direction = isDescending ? sql`desc` : sql`asc`;
  const start = placeIn(page, prefix, isDescending);
  if (start === "behind") return [];
  const [matched, id] = start ?? [];
  const [first, last] = [sql`matched >= ${prefix}`, sql`matched < ${prefix + LAST_CHARACTER}`];
  if (matched === undefined) return [{ place: sql`${first} and ${last}`, inOrder: terms }];
  // two reads, because SQLite finds the place of a pair in columns only, not in an expression
  return [
    { place: sql`matched = ${matched} and id ${operator} ${id}`, inOrder: sql`id ${direction}` },
    { place: sql`matched ${operator} ${matched} and ${isDescending ? first : last}`, inOrder: terms },
  ];
}

/**
 * The place of a page among the texts that begin with `prefix`; `undefined` when it has them from the first on, and "behind" when it has
 * none. The keys of a list are of two kinds, so one of the other kind may be the place.
 */
export function placeIn(
  page: PageRange,
  prefix: string,
  isDescending: boolean,
): readonly CursorKey[] | "behind" | undefined {
  const place = page.before ?? page.after;
  if (place === undefined) return undefined;
  const text = String(place[0]);
  if (text.startsWith(prefix)) return place;
  return Buffer.compare(Buffer.from(text), Buffer.from(prefix)) < 0 === isDescending ? "behind" : undefined;
}

function lower(column: (typeof NAME_COLUMNS)[number]): RawBuilder<string> {
  return sql`lower(${sql.ref(column)})`;
}
