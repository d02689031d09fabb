import { sql, type RawBuilder, type SelectQueryBuilder } from "kysely";
import { ID_REGEXP } from "../model/ids.js";
import type { User } from "../model/records.js";
import { batchesOf } from "./batches.js";
import { matches, selectPage, type FilterExpression, type ListTerm, type PageRange } from "./pages.js";
import { foldLogin, fromUser, toUser } from "./rows.js";
import type { Db, Tables, UserRow } from "./schema.js";
import type { Store } from "./store.js";
import type { WriteTransaction } from "./transaction.js";

export type UserQuery = SelectQueryBuilder<Tables, "users", UserRow>;

/** Which users a list has, and in which order. */
export interface UserSelection {
  /** Without one: all but those who are DEPROVISIONED. */
  readonly expression: Readonly<FilterExpression> | undefined;
  /** In one direction; the last is the id. */
  readonly order: readonly (ListTerm & { readonly column: keyof UserRow })[];
}

/** The rows of a page and one more. */
export function selectUsers(
  { reader, dialect }: Pick<Store, "reader" | "dialect">,
  orgId: string,
  { expression, order }: UserSelection,
  page: PageRange,
): UserQuery {
  const query = selectPage(reader.selectFrom("users").selectAll().where("org_id", "=", orgId), page, order);
  if (!expression) return query.where("status", "<>", sql.lit("DEPROVISIONED")); // as the index users_listed has it
  return query.where(matches(expression, dialect));
}

/** The user with this id, or else with this login in any case of letters. */
export function findUser(db: Db, orgId: string, idOrLogin: string): Promise<UserRow | undefined> {
  return find(db, orgId, idOrLogin, sql``);
}

/** The same; nobody else changes it before the transaction ends. */
export function lockUser(
  { db, dialect }: WriteTransaction,
  orgId: string,
  idOrLogin: string,
): Promise<UserRow | undefined> {
  return find(db, orgId, idOrLogin, dialect.lockRows);
}

/** Those of the users whose login, in any case of letters, or id the org has. */
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

async function find(db: Db, orgId: string, idOrLogin: string, lock: RawBuilder<unknown>): Promise<UserRow | undefined> {
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
