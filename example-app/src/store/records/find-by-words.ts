import { keysetOrder } from "etiquette/keyset";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { queryWords } from "../../model/words.js";
import { bytesOf, selectColumns, type Sized } from "../contract/columns.js";
import type { Dialect } from "../contract/dialect.js";
import type { Db, ListedUserRow } from "../contract/schema.js";
import { placePage, sliceRows, type PageRange, type SliceSize } from "../lists/pages.js";
import type { Search } from "../lists/search.js";
import type { Selection } from "./table.js";
import { hasName, LAST_CHARACTER, LISTED, placeIn, selectByName, skipByName } from "./user-names.js";
import { lacksWords } from "./user-words.js";

/*
 * A user is found if each word of a query begins one of the user's. The index of words is read from the place of the page
 * on, where words begin with the longest word of the query; the row of each user has all words for the other tests. It also
 * says by which of several such words the user is found, and that a word is not of an earlier revision. So a page reads as many rows
 * as its slices have, whatever the query and however many users match.
 *
 * Users without words, whom an older version of the server has written, are found by their names as by that version.
 */

interface WordSelection {
  readonly name: string;
  readonly order: Selection<ListedUserRow>["order"];
}

interface WordQuery {
  /** The longest first. */
  readonly words: readonly string[];
  readonly order: WordSelection["order"];
}

const HAS_WORDS = sql<SqlBool>`words_revision = revision`;

/** The list of the users that a query finds, in the order of the words that the longest of its words begins. */
export function searchByWords(dialect: Dialect, orgId: string, selection: WordSelection): Search<ListedUserRow> {
  const { name, order } = selection;
  const words = queryWords(name);
  const tests = findTests(dialect, words);
  let decided: Promise<boolean> | undefined; // once a page, so that its statements agree
  const hasOthers = (db: Db): Promise<boolean> => (decided ??= lacksWords(db, dialect, orgId));

  async function partsOf(db: Db, range: PageRange) {
    const own = selectPart(orgId, { words, order, tests }, range);
    return (await hasOthers(db)) ? [...own, ...selectByName(orgId, selection, range, dialect.lacksWords)] : own;
  }

  return {
    tests: tests.length,
    order,
    async find(db, range) {
      const parts = await partsOf(db, range);
      if (parts.length === 0) return [];
      const { terms } = placePage(range, order);
      const { rows } = await sql<Sized<Required<ListedUserRow>>>`
        select * from (${unite(parts)}) as found order by ${terms} limit ${range.fetchLimit}
      `.execute(db);
      return rows;
    },
    async count(db, range) {
      const parts = await partsOf(db, { ...range, inline: 0 });
      if (parts.length === 0) return 0;
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from (select * from (${unite(parts)}) as found limit ${range.fetchLimit}) as counted
      `.execute(db);
      return rows[0]?.count ?? 0;
    },
    async skip(db, range, size) {
      const own = skipPart(orgId, { words, order }, range, size);
      const others = (await hasOthers(db)) ? skipByName(orgId, selection, { range, size }) : [];
      const parts = [...own, ...others];
      return parts.length === 0 ? undefined : sliceRows(db, unite(parts), { order, range, size });
    },
  };
}

/** Whether a query finds a user, for a list in another order. */
export function matchesWords(dialect: Dialect, name: string): RawBuilder<SqlBool> {
  const tests = queryWords(name).map((word) => hasWord(dialect, word));
  return sql`((${sql.join([HAS_WORDS, ...tests], sql` and `)}) or (${dialect.lacksWords} and ${hasName(name)})) is true`;
}

function findTests(dialect: Dialect, [longest = "", ...others]: readonly string[]): RawBuilder<SqlBool>[] {
  const words = sql<string>`users.words`;
  const place = dialect.position(words, sql`${` ${longest}`}`);
  const isFirst = sql<SqlBool>`${place} > 0 and ${place} = ${dialect.position(words, sql`' ' || matched || ' '`)}`;
  return [LISTED, HAS_WORDS, isFirst, ...others.map((word) => hasWord(dialect, word))];
}

const hasWord = (dialect: Dialect, word: string): RawBuilder<SqlBool> =>
  dialect.contains(sql<string>`users.words`, ` ${word}`);

function selectPart(
  orgId: string,
  { words, order, tests }: WordQuery & Readonly<{ tests: readonly RawBuilder<SqlBool>[] }>,
  page: PageRange,
): RawBuilder<unknown>[] {
  const { slice, inline } = page;
  const { terms, end } = placePage(page, order);
  const columns = inline === undefined ? sql`users.*` : selectColumns("users", inline);
  return readWords(orgId, { words, order }, page, slice?.count).map((found) => {
    const users = sql`
      select ${columns}, matched from (${found}) as word
      join users on users.org_id = ${orgId} and users.id = word.user_id where ${sql.join(tests, sql` and `)}
    `;
    return sql`
      select * from (${users}) as found ${end ? sql`where ${end}` : sql``} order by ${terms} limit ${page.fetchLimit}
    `;
  });
}

function skipPart(orgId: string, query: WordQuery, range: PageRange, { count }: SliceSize): RawBuilder<unknown>[] {
  return readWords(orgId, query, range, count).map(
    (found) => sql`
      select matched, user_id as id, coalesce(${bytesOf("users")}, 0) as bytes from (${found}) as word
      left join users on users.org_id = ${orgId} and users.id = word.user_id
    `,
  );
}

/** Reads the first words of the range that begin with the longest word. */
function readWords(
  orgId: string,
  { words: [longest = ""], order }: WordQuery,
  page: PageRange,
  count: number | undefined,
): RawBuilder<unknown>[] {
  const isDescending = keysetOrder(page, order)[0]?.direction === "desc";
  const [operator, direction] = isDescending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const start = placeIn(page, longest, isDescending);
  if (start === "behind") return [];
  const place = start && sql`(word, user_id) ${operator} (${sql.join(start)})`;
  const [first, last] = [sql`word >= ${longest}`, sql`word < ${longest + LAST_CHARACTER}`];
  // SQLite begins to read at the first of two conditions, so the place stands instead of the bound that it implies
  const [begin, end] = isDescending ? [last, first] : [first, last];
  return [
    sql`
      select word as matched, user_id from user_words where org_id = ${orgId} and ${place ?? begin} and ${end}
      order by word ${direction}, user_id ${direction} ${count === undefined ? sql`` : sql`limit ${count}`}
    `,
  ];
}

/** SQLite takes an order and a limit only within a select of their own. */
function unite(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(
    parts.map((part) => sql`select * from (${part}) as part`),
    sql` union all `,
  );
}
