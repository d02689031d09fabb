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

/** A new token as its owner sees it, only once. */
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

/** Create a token of the org. The store keeps only a hash of its secret. The name must be new in the org. */
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

/** Whether `error` means that the org already has a token with this name. */
export function isNameTaken(error: unknown): boolean {
  return findViolatedColumn(error, "api_tokens") === "name";
}
