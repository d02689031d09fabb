import type { Page } from "etiquette/pagination";
import { compileFilterSql, type Filter, type FilterSchema } from "etiquette/filter";
import { sql, type SelectQueryBuilder, type SqlBool } from "kysely";
import { ID_REGEXP } from "../../model/ids.js";
import type { User } from "../../model/records.js";
import { selectPage, type ListTerm } from "../../rest/list.js";
import { foldLogin, fromUser } from "../../store/rows.js";
import type { Db, Tables, UserRow } from "../../store/schema.js";
import type { Store } from "../../store/store.js";
import type { WriteTransaction } from "../../store/transaction.js";

export type UserQuery = SelectQueryBuilder<Tables, "users", UserRow>;

/** Which users a list has, and in which order. */
export interface UserSelection {
  /** Without one: all but those who are DEPROVISIONED. */
  readonly expression: Readonly<{ filter: Filter; schema: FilterSchema }> | undefined;
  /** In one direction; the last is the id. */
  readonly order: readonly (ListTerm & { readonly column: keyof UserRow })[];
}

/** The rows of a page and one more. */
export function selectUsers(
  { reader, dialect }: Pick<Store, "reader" | "dialect">,
  orgId: string,
  { expression, order }: UserSelection,
  page: Pick<Page, "after" | "before" | "fetchLimit">,
): UserQuery {
  const query = selectPage(reader.selectFrom("users").selectAll().where("org_id", "=", orgId), page, order);
  if (!expression) return query.where("status", "<>", sql.lit("DEPROVISIONED")); // as the index users_listed has it
  const { strings, parameters } = compileFilterSql(expression.filter, expression.schema, dialect.filter);
  return query.where(sql<SqlBool>(strings, ...parameters));
}

/**
 * The user with this id, or else with this login in any case of letters.
 *
 * @param lock what else the statement says: `dialect.lockRows` in a transaction that writes
 */
export async function findUser(db: Db, orgId: string, idOrLogin: string, lock = sql``): Promise<UserRow | undefined> {
  if (idOrLogin.includes("\0")) return undefined; // PostgreSQL takes it for an error
  const login = foldLogin(idOrLogin);
  const rows = await db
    .selectFrom("users")
    .selectAll()
    .where("org_id", "=", orgId)
    .where((eb) =>
      ID_REGEXP.test(idOrLogin) ? eb.or([eb("id", "=", idOrLogin), eb("login", "=", login)]) : eb("login", "=", login),
    )
    .modifyEnd(lock)
    .execute();
  return rows.find(({ id }) => id === idOrLogin) ?? rows[0];
}

export async function insertUser({ db }: WriteTransaction, orgId: string, user: User): Promise<UserRow> {
  const row = fromUser(orgId, user);
  await db.insertInto("users").values(row).execute();
  return row;
}

/** Write `user` over the row that it was made of, which is locked. */
export async function updateUser({ db }: WriteTransaction, before: UserRow, user: User): Promise<UserRow> {
  const row = fromUser(before.org_id, user, before.revision + 1);
  const { org_id, id, ...columns } = row;
  await db.updateTable("users").set(columns).where("org_id", "=", org_id).where("id", "=", id).execute();
  return row;
}

export async function deleteUser({ db }: WriteTransaction, { org_id, id }: UserRow): Promise<void> {
  await db.deleteFrom("users").where("org_id", "=", org_id).where("id", "=", id).execute();
}
