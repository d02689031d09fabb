import { sql, type Compilable, type SqlBool } from "kysely";
import { ID_REGEXP } from "../model/ids.js";
import type { User } from "../model/records.js";
import { batchesOf } from "./batches.js";
import type { Dialect } from "./dialects.js";
import { countTerms } from "./filter-terms.js";
import { divide, selectPage, skipRows, type PageRange } from "./pages.js";
import { foldLogin, fromUser, toUser } from "./rows.js";
import type { Db, ListedUserRow } from "./schema.js";
import type { Search } from "./search.js";
import type { Store } from "./store.js";
import { createTable, type Selection, type Table } from "./table.js";
import type { WriteTransaction } from "./transaction.js";
import { hasName, LISTED, NAME_TESTS, selectByName, skipByName } from "./user-names.js";

export interface UserQuery extends Compilable {
  execute(): Promise<ListedUserRow[]>;
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

  update: (transaction, orgId, before, after) =>
    ROWS.update(transaction, orgId, before, { ...after, revision: before.revision + 1 }),
};

/**
 * Which users a list contains, and in which order. Without an expression: all but DEPROVISIONED ones. Login, e-mail
 * address, first or last name begins with `name`, ignoring the case of A to Z; it has no expression beside it.
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
  const find = (db: Db, range: PageRange) => selectUsers({ reader: db, dialect }, orgId, selection, range).execute();
  if (name !== undefined && isByName(order)) {
    const skip = (db: Db, range: PageRange, count: number) => skipByName(db, orgId, { name, order }, { range, count });
    return { tests: NAME_TESTS, find, skip };
  }
  const { conditions, tested } = divideSelection(selection, dialect);
  const tests = (expression ? countTerms(expression) : 0) + (name === undefined ? 1 : NAME_TESTS);
  return {
    tests: tested.length === 0 ? 0 : tests,
    find,
    skip: (db, range, count) =>
      skipRows(db, sql.table("users"), [sql<SqlBool>`org_id = ${orgId}`, ...conditions], { order, range, count }),
  };
}

/** The rows of a page, and one more. */
export function selectUsers(
  { reader, dialect }: Pick<Store, "reader" | "dialect">,
  orgId: string,
  selection: UserSelection,
  page: PageRange,
): UserQuery {
  const { name, order } = selection;
  if (name !== undefined && isByName(order)) return selectByName(reader, orgId, { name, order }, page);
  const { conditions, tested } = divideSelection(selection, dialect);
  const users = reader.selectFrom("users").selectAll().where("org_id", "=", orgId);
  return [...conditions, ...tested].reduce(
    (query, condition) => query.where(condition),
    selectPage(users, page, order),
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
  const names = name === undefined ? [] : [hasName(name)];
  return { conditions: isServed ? [LISTED] : [], tested: isServed ? names : [LISTED, ...names] };
}

const isByName = (order: UserSelection["order"]): boolean => order[0]?.column === "matched";

/** The users of the org that have one of the logins, ignoring case, or one of the ids. */
export async function findUsers(
  { db }: WriteTransaction,
  orgId: string,
  users: readonly Readonly<{ login: string; id?: string | undefined }>[],
): Promise<User[]> {
  const found: User[] = [];
  for (const batch of batchesOf(users)) {
    const logins = batch.map(({ login }) => foldLogin(login));
    const ids = batch.flatMap(({ id }) => id ?? []);
    const rows = await db
      .selectFrom("users")
      .selectAll()
      .where("org_id", "=", orgId)
      .where((eb) => eb.or([eb("login", "in", logins), ...(ids.length > 0 ? [eb("id", "in", ids)] : [])]))
      .execute();
    for (const row of rows) found.push(toUser(row));
  }
  return found;
}

/** How long the profiles of all users of the org are as JSON, in characters. */
export async function measureProfiles(db: Db, orgId: string): Promise<number> {
  const { rows } = await sql<{ total: number | string | null }>`
    select sum(length(profile)) as total from users where org_id = ${orgId}
  `.execute(db);
  return Number(rows[0]?.total ?? 0);
}
