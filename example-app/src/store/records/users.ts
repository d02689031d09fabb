import { setImmediate } from "node:timers/promises";
import { sql, type Compilable, type SelectQueryBuilder, type SqlBool } from "kysely";
import { ID_REGEXP } from "../../model/ids.js";
import type { User } from "../../model/records.js";
import { BATCH_BYTES, batchesInTurns, divideBySize } from "./batches.js";
import { bytesOf, sizedColumns, type Sized } from "../contract/columns.js";
import type { Dialect } from "../contract/dialect.js";
import { countTerms } from "../lists/filter-terms.js";
import { divide, orderIn, selectPage, skipRows, type PageRange } from "../lists/pages.js";
import { foldLogin, fromUser, toUser } from "../contract/rows.js";
import type { ListedUserRow, Tables } from "../contract/schema.js";
import type { Search } from "../lists/search.js";
import type { OwnDatabase } from "../contract/transaction.js";
import { createTable, type Selection, type Table } from "./table.js";
import type { WriteTransaction } from "../contract/transaction.js";
import { matchesWords, searchByWords } from "./find-by-words.js";
import { LISTED, NAME_TESTS } from "./user-names.js";
import { addWords, removeWords, writeWords } from "./user-words.js";

export interface UserQuery extends Compilable {
  execute(): Promise<Sized<ListedUserRow>[]>;
}

export interface StoredUser extends User {
  /** Grows with every meaningful change; a sign-in does not count. */
  readonly revision: number;
}

const ROWS = createTable(
  "users",
  (row): StoredUser => ({ ...toUser(row), revision: row.revision }),
  (orgId, user) => fromUser(orgId, user, user.revision),
);

/** Finds users by id, or else by login, which is case-insensitive. */
export const USERS: Table<ListedUserRow, StoredUser> = {
  ...ROWS,

  search: searchUsers,

  async find(db, orgId, idOrLogin, lock = sql``) {
    if (idOrLogin.includes("\0")) return undefined; // PostgreSQL refuses NUL
    const login = foldLogin(idOrLogin);
    const rows = await db
      .selectFrom("users")
      .selectAll()
      .where("org_id", "=", orgId)
      .where((eb) =>
        ID_REGEXP.test(idOrLogin)
          ? eb.or([eb("id", "=", idOrLogin), eb("login", "=", login)])
          : eb("login", "=", login),
      )
      .modifyEnd(lock)
      .execute();
    const row = rows.find(({ id }) => id === idOrLogin) ?? rows[0];
    return row && ROWS.toRecord(row);
  },

  async insert(transaction, orgId, user) {
    await addWords(transaction.db, fromUser(orgId, user));
    return ROWS.insert(transaction, orgId, user);
  },

  async update(transaction, orgId, before, after) {
    const user = { ...after, revision: before.revision + 1 };
    await writeWords(transaction, [fromUser(orgId, user)]);
    return ROWS.update(transaction, orgId, before, user);
  },

  async remove(transaction, orgId, user) {
    const { db } = transaction;
    const rows = db.selectFrom("users").select(["id", "words"]).where("org_id", "=", orgId).where("id", "=", user.id);
    await removeWords(db, orgId, await rows.execute());
    await ROWS.remove(transaction, orgId, user);
  },
};

/**
 * Which users a list contains, and in which order. Without an expression: all but DEPROVISIONED ones. `name` is a query,
 * see `searchByWords`; it has no expression beside it, and alone it may be ordered by `matched`.
 */
export type UserSelection = Pick<Selection<ListedUserRow>, "expression" | "order" | "name">;

/**
 * Columns with an index, which has the users with one value in the order of their ids. Those with the fewest users for a
 * value come first.
 */
export const USER_INDEXES: readonly string[] = [
  "id",
  "profile_login",
  "email",
  "first_name",
  "last_name",
  "status",
  "created",
  "last_updated",
];

/** The users of an org. */
export function searchUsers(dialect: Dialect, orgId: string, selection: UserSelection): Search<ListedUserRow> {
  const { expression, name, order } = selection;
  if (name !== undefined && order[0]?.column === "matched") return searchByWords(dialect, orgId, { name, order });
  const { conditions, tested } = divideSelection(selection, dialect);
  const tests = (expression ? countTerms(expression) : 0) + (name === undefined ? 1 : NAME_TESTS);
  return {
    tests: tested.length === 0 ? 0 : tests,
    order,
    find: (db, range) => selectUsers({ reader: db, dialect }, orgId, selection, range).execute(),
    count: (db, range) => countUsers({ reader: db, dialect }, orgId, selection, range),
    skip: (db, range, size) =>
      skipRows(db, "users", [sql<SqlBool>`org_id = ${orgId}`, ...conditions], { order, range, size }),
  };
}

/** What no list shows. */
const UNREAD = ["org_id", "login", "profile_login", "email", "first_name", "last_name", "words", "words_revision"];

/** The rows of a page, and one more. */
export function selectUsers(
  { reader, dialect }: Pick<OwnDatabase, "reader" | "dialect">,
  orgId: string,
  selection: UserSelection,
  page: PageRange,
): UserQuery {
  const table = reader.selectFrom("users").where("org_id", "=", orgId);
  const unread = UNREAD.filter((name) => !selection.order.some(({ column }) => column === name));
  const users =
    page.inline === undefined
      ? table.selectAll()
      : table.select(sizedColumns("users", page.inline, { unread }).as("bytes"));
  return choose(users.$castTo<Sized<ListedUserRow>>(), dialect, selection, page);
}

/** How many rows a range has. */
async function countUsers(
  { reader, dialect }: Pick<OwnDatabase, "reader" | "dialect">,
  orgId: string,
  selection: UserSelection,
  range: PageRange,
): Promise<number> {
  const ids = choose(reader.selectFrom("users").where("org_id", "=", orgId).select("id"), dialect, selection, range);
  const { count } = await reader
    .selectFrom(ids.as("counted"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

function choose<O>(
  users: SelectQueryBuilder<Tables, "users", O>,
  dialect: Dialect,
  selection: UserSelection,
  page: PageRange,
): SelectQueryBuilder<Tables, "users", O> {
  const { conditions, tested } = divideSelection(selection, dialect);
  return [...conditions, ...tested].reduce(
    (query, condition) => query.where(condition),
    selectPage(users, page, orderIn("users", selection.order)),
  );
}

/** The conditions that the index of the order serves, and the others. */
function divideSelection({ expression, name, order }: UserSelection, dialect: Dialect) {
  const [first] = order;
  if (expression) {
    const indexes = first?.column === "id" ? USER_INDEXES : [];
    const { served: conditions, tested } = divide(expression, dialect, indexes, first?.column);
    return { conditions, tested };
  }
  const isServed = first?.column === "id"; // by the index `users_listed`
  const names = name === undefined ? [] : [matchesWords(dialect, name)];
  return { conditions: isServed ? [LISTED] : [], tested: isServed ? names : [LISTED, ...names] };
}

/**
 * The users of the org that have one of the logins, ignoring case, or one of the ids.
 *
 * @param onBytes told how many bytes the profiles have so far, before they are read
 */
export async function findUsers(
  { db }: WriteTransaction,
  orgId: string,
  users: readonly Readonly<{ login: string; id?: string | undefined }>[],
  onBytes?: (bytes: number) => void,
): Promise<User[]> {
  const found: User[] = [];
  const table = db.selectFrom("users").where("org_id", "=", orgId);
  let bytes = 0;
  for await (const batch of batchesInTurns(users)) {
    const logins = batch.map(({ login }) => foldLogin(login));
    const ids = batch.flatMap(({ id }) => id ?? []);
    const sizes = await table
      .select(["id", bytesOf("users").as("size")])
      .where((eb) => eb.or([eb("login", "in", logins), ...(ids.length > 0 ? [eb("id", "in", ids)] : [])]))
      .execute();
    bytes += sizes.reduce((sum, { size }) => sum + size, 0);
    onBytes?.(bytes);
    for (const part of divideBySize(sizes, BATCH_BYTES)) {
      const named = table.selectAll().where(
        "id",
        "in",
        part.map(({ id }) => id),
      );
      for (const row of await named.execute()) found.push(toUser(row));
      await setImmediate();
    }
  }
  return found;
}
