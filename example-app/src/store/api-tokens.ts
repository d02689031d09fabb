import { createApiToken } from "etiquette/api-token-verifier";
import { sql } from "kysely";
import { createId } from "../model/ids.js";
import type { ApiToken } from "../model/records.js";
import { findViolatedColumn } from "./errors.js";
import { keyColumns } from "./rows.js";
import type { ApiTokenRow, Db } from "./schema.js";
import { createTable } from "./table.js";
import type { WriteTransaction } from "./transaction.js";

export const API_TOKENS = createTable(
  "api_tokens",
  ({ id, name, hash, scopes, expires: expiresAt, created, last_updated: lastUpdated }): ApiToken => ({
    id,
    name,
    hash,
    scopes: JSON.parse(scopes) as string[],
    expiresAt,
    created,
    lastUpdated,
  }),
  (orgId, token): ApiTokenRow => {
    const { name, hash, scopes, expiresAt: expires } = token;
    return { ...keyColumns(orgId, token), name, hash, scopes: JSON.stringify(scopes), expires };
  },
);

/**
 * Create a token of the org. Its owner sees the secret only once: the store keeps only a hash. The name must be new in
 * the org.
 */
export async function insertToken(
  transaction: WriteTransaction,
  orgId: string,
  values: Readonly<Pick<ApiToken, "name" | "scopes" | "expiresAt">>,
): Promise<{ record: ApiToken; secret: string }> {
  const { token: secret, hash } = createApiToken();
  const { now } = transaction;
  const record = { ...values, id: createId(), hash, created: now, lastUpdated: now };
  return { record: await API_TOKENS.insert(transaction, orgId, record), secret };
}

/** How many of the newest events of an org show when a token was last used. */
export const USE_EVENTS = 10_000;

export interface ListedToken extends ApiToken {
  /** When the newest event of this token was published; `null` if it has none among the last {@link USE_EVENTS}. */
  readonly lastUse: string | null;
}

/** The tokens of an org, by name. */
export async function listTokens(db: Db, orgId: string): Promise<ListedToken[]> {
  const rows = await db.selectFrom("api_tokens").selectAll().where("org_id", "=", orgId).orderBy("name").execute();
  const { rows: uses } = await sql<{ actor: string; at: string }>`
    select actor_id as actor, max(published) as at from (
      select actor_id, actor_type, published from log_entries where org_id = ${orgId}
      order by published desc, sequence desc limit ${USE_EVENTS}
    ) as newest where actor_type = 'ApiToken' group by actor_id
  `.execute(db);
  const lastUses = new Map(uses.map(({ actor, at }) => [actor, at]));
  return rows.map((row) => ({ ...API_TOKENS.toRecord(row), lastUse: lastUses.get(row.id) ?? null }));
}

/** Revoke a token of the org. Returns `false` when the org has no token with this id. */
export async function removeToken(transaction: WriteTransaction, orgId: string, id: string): Promise<boolean> {
  const token = await API_TOKENS.find(transaction.db, orgId, id, transaction.dialect.lockRows);
  if (token) await API_TOKENS.remove(transaction, orgId, token);
  return token !== undefined;
}

/** Whether `error` means that the org already has a token with this name. */
export function isNameTaken(error: unknown): boolean {
  return findViolatedColumn(error, "api_tokens") === "name";
}
