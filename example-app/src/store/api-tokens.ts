import { createApiToken } from "etiquette/api-token-verifier";
import { createId } from "../model/ids.js";
import type { ApiToken } from "../model/records.js";
import { findViolatedColumn } from "./errors.js";
import { toApiToken } from "./rows.js";
import type { ApiTokenRow } from "./schema.js";
import { createTable } from "./table.js";
import type { WriteTransaction } from "./transaction.js";

export type NewToken = Pick<ApiToken, "name" | "scopes" | "expiresAt">;

export interface StoredToken extends ApiToken {
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string;
}

/** A token as its owner sees it, this once. */
export interface IssuedToken {
  readonly record: StoredToken;
  readonly secret: string;
}

export const API_TOKENS = createTable(
  "api_tokens",
  (row): StoredToken => ({ ...toApiToken(row), hash: row.hash }),
  (orgId, { id, name, hash, scopes, expiresAt, created, lastUpdated }): ApiTokenRow => ({
    org_id: orgId,
    id,
    name,
    hash,
    scopes: JSON.stringify(scopes),
    expires: expiresAt,
    created,
    last_updated: lastUpdated,
  }),
);

/** Make a token of the org; of its secret the store keeps only the hash. The name must be new to the org. */
export async function insertToken(
  transaction: WriteTransaction,
  orgId: string,
  values: Readonly<NewToken>,
): Promise<IssuedToken> {
  const { token: secret, hash } = createApiToken();
  const { now } = transaction;
  const record = { ...values, id: createId(), hash, created: now, lastUpdated: now };
  return { record: await API_TOKENS.insert(transaction, orgId, record), secret };
}

/** Whether `error` says that the org has a token of this name. */
export function isNameTaken(error: unknown): boolean {
  return findViolatedColumn(error, "api_tokens") === "name";
}
