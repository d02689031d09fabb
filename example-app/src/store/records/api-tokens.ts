import { createApiToken } from "etiquette/api-token-verifier";
import { sql } from "kysely";
import { CONSOLE_CREATOR } from "../../model/console-tokens.js";
import { createId } from "../../model/ids.js";
import type { ApiToken } from "../../model/records.js";
import { batchesOf } from "./batches.js";
import { findViolatedColumn } from "../contract/errors.js";
import { keyColumns } from "../contract/rows.js";
import type { ApiTokenRow, Db } from "../contract/schema.js";
import { createTable } from "./table.js";
import { lockTokens, withDescendants } from "./token-family.js";
import type { WriteTransaction } from "../contract/transaction.js";
import { changeUsage } from "./usage.js";

export const API_TOKENS = createTable("api_tokens", toToken, fromToken);

function toToken(row: ApiTokenRow): ApiToken {
  const { id, name, hash, expires: expiresAt, created, last_updated: lastUpdated, last_used: lastUsed } = row;
  const { previous_hash: previous, previous_expires: ends, creator_type: type, creator_id: creator } = row;
  return {
    id,
    name,
    hash,
    previous: previous !== null && ends !== null ? { hash: previous, expiresAt: ends } : null,
    scopes: JSON.parse(row.scopes) as string[],
    expiresAt,
    addresses: JSON.parse(row.addresses) as string[],
    createdBy: type !== null && creator !== null ? { type, id: creator } : null,
    lastUsed,
    created,
    lastUpdated,
  };
}

function fromToken(orgId: string, token: ApiToken): ApiTokenRow {
  const { name, hash, previous, scopes, expiresAt: expires, addresses, createdBy, lastUsed } = token;
  return {
    ...keyColumns(orgId, token),
    name,
    hash,
    previous_hash: previous?.hash ?? null,
    previous_expires: previous?.expiresAt ?? null,
    scopes: JSON.stringify(scopes),
    expires,
    addresses: JSON.stringify(addresses),
    creator_type: createdBy?.type ?? null,
    creator_id: createdBy?.id ?? null,
    last_used: lastUsed,
  };
}

/** A token as its maker describes it. */
export type NewToken = Readonly<Pick<ApiToken, "name" | "scopes" | "expiresAt" | "addresses" | "createdBy">>;

/**
 * Create a token of the org. Its owner sees the secret only once: the store keeps only a hash. The name must be new in
 * the org. The operator, on the command line or by a link, can always make one.
 *
 * @throws {QuotaError} when the org may not have more
 */
export async function insertToken(
  transaction: WriteTransaction,
  orgId: string,
  values: NewToken,
): Promise<{ record: ApiToken; secret: string }> {
  const { token: secret, hash } = createApiToken();
  const { now } = transaction;
  const unused = { previous: null, lastUsed: null };
  const record = { ...values, ...unused, id: createId(), hash, created: now, lastUpdated: now };
  const apiTokens = await quotaFor(transaction, orgId, values);
  const extended = { ...transaction, quotas: { ...transaction.quotas, apiTokens } };
  return { record: await API_TOKENS.insert(extended, orgId, record), secret };
}

/** How many tokens the org may have if this one is made. Those of links are beyond the quota. */
async function quotaFor({ db, quotas }: WriteTransaction, orgId: string, { createdBy }: NewToken): Promise<number> {
  if (createdBy?.type === "Command") return Infinity;
  const { type, id } = CONSOLE_CREATOR;
  const { rows } = await sql<{ count: number }>`
    select cast(count(*) as integer) as count from api_tokens
    where org_id = ${orgId} and creator_type = ${type} and creator_id = ${id}
  `.execute(db);
  return quotas.apiTokens + (rows[0]?.count ?? 0);
}

/** Give a token another secret. The present one is valid too, until it expires; without that it ends now. */
export async function rotateToken(
  transaction: WriteTransaction,
  orgId: string,
  token: ApiToken,
  presentExpiresAt: string | undefined,
): Promise<{ record: ApiToken; secret: string }> {
  const { token: secret, hash } = createApiToken();
  const previous = presentExpiresAt === undefined ? null : { hash: token.hash, expiresAt: presentExpiresAt };
  const record = { ...token, hash, previous, lastUpdated: transaction.now };
  return { record: await API_TOKENS.update(transaction, orgId, token, record), secret };
}

/** Find a token by the hash of its secret, or of the one before the last rotation. */
export async function findTokenByHash(db: Db, orgId: string, hash: string): Promise<ApiToken | undefined> {
  const row = await db
    .selectFrom("api_tokens")
    .selectAll()
    .where("org_id", "=", orgId)
    .where((eb) => eb.or([eb("hash", "=", hash), eb("previous_hash", "=", hash)]))
    .executeTakeFirst();
  return row && toToken(row);
}

/** The tokens of an org, by name. */
export async function listTokens(db: Db, orgId: string): Promise<ApiToken[]> {
  const rows = await db.selectFrom("api_tokens").selectAll().where("org_id", "=", orgId).orderBy("name").execute();
  return rows.map(toToken);
}

/** Note that a token was used at `at`, unless its recorded use is at `after` or later. */
export async function recordTokenUse(
  { db }: Pick<WriteTransaction, "db">,
  { orgId, id, at, after }: Readonly<{ orgId: string; id: string; at: string; after: string }>,
): Promise<void> {
  await db
    .updateTable("api_tokens")
    .set({ last_used: at })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where((eb) => eb.or([eb("last_used", "is", null), eb("last_used", "<", after)]))
    .execute();
}

/**
 * Revoke a token of the org, with all that were made with it.
 *
 * @returns what was revoked, the token first; nothing when the org has no token with this id
 */
export async function removeToken(transaction: WriteTransaction, orgId: string, id: string): Promise<ApiToken[]> {
  await lockTokens(transaction, orgId);
  return removeTokens(transaction, orgId, [id]);
}

/** Revoke tokens, with all that were made with them. Call {@link lockTokens} before reading them. */
export async function removeTokens(
  transaction: WriteTransaction,
  orgId: string,
  ids: readonly string[],
): Promise<ApiToken[]> {
  const rows = await withDescendants(transaction.db, orgId, ids);
  for (const batch of batchesOf(rows.map(({ id }) => id))) {
    await transaction.db.deleteFrom("api_tokens").where("org_id", "=", orgId).where("id", "in", batch).execute();
  }
  await changeUsage(transaction, orgId, { apiTokens: -rows.length });
  return rows.map(toToken);
}

/** Whether `error` means that the org already has a token with this name. */
export function isNameTaken(error: unknown): boolean {
  return findViolatedColumn(error, "api_tokens") === "name";
}
