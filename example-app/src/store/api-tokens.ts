import { createApiToken } from "etiquette/api-token-verifier";
import { createId } from "../model/ids.js";
import type { ApiToken } from "../model/records.js";
import { findViolatedColumn } from "./errors.js";
import type { WriteTransaction } from "./transaction.js";

export type NewToken = Pick<ApiToken, "name" | "scopes" | "expiresAt">;

/** A token as its owner sees it, this once. */
export interface IssuedToken {
  readonly record: ApiToken;
  readonly secret: string;
}

/** Make a token of the org; of its secret the store keeps only the hash. The name must be new to the org. */
export async function insertToken(
  { db, now }: WriteTransaction,
  orgId: string,
  { name, scopes, expiresAt }: Readonly<NewToken>,
): Promise<IssuedToken> {
  const { token: secret, hash } = createApiToken();
  const record = { id: createId(), name, scopes, expiresAt, created: now, lastUpdated: now };
  await db
    .insertInto("api_tokens")
    .values({
      org_id: orgId,
      id: record.id,
      name,
      hash,
      scopes: JSON.stringify(scopes),
      expires: expiresAt,
      created: now,
      last_updated: now,
    })
    .execute();
  return { record, secret };
}

/** Whether `error` says that the org has a token of this name. */
export function isNameTaken(error: unknown): boolean {
  return findViolatedColumn(error, "api_tokens") === "name";
}
