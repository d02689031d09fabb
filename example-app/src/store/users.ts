import { sql, type Compilable } from "kysely";
import { ID_REGEXP } from "../model/ids.js";
import type { User } from "../model/records.js";
import { batchesOf } from "./batches.js";
import { matches, selectPage, type PageRange } from "./pages.js";
import { foldLogin, fromUser, toUser } from "./rows.js";
import type { ListedUserRow } from "./schema.js";
import type { Store } from "./store.js";
import { createTable, type Selection, type Table } from "./table.js";
import type { WriteTransaction } from "./transaction.js";
import { hasName, LISTED, selectByName } from "./user-names.js";

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

  list: (store, orgId, selection, page) => selectUsers(store, orgId, selection, page).execute(),

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

/** The rows of a page, and one more. */
export function selectUsers(
  { reader, dialect }: Pick<Store, "reader" | "dialect">,
  orgId: string,
  { expression, name, order }: UserSelection,
  page: PageRange,
): UserQuery {
  if (name !== undefined && order[0]?.column === "matched") {
    return selectByName(reader, orgId, { name, order }, page);
  }
  const query = selectPage(reader.selectFrom("users").selectAll().where("org_id", "=", orgId), page, order);
  if (expression) return query.where(matches(expression, dialect));
  const listed = query.where(LISTED);
  return name === undefined ? listed : listed.where(hasName(name));
}

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
