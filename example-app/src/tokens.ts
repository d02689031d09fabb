import { createApiToken } from "etiquette/api-token-verifier";
import { compileNamespace } from "etiquette/namespace";
import type { ApiToken } from "./model.js";
import { findViolatedColumn } from "./store/errors.js";
import { createId } from "./store/ids.js";
import type { Store, WriteTransaction } from "./store/store.js";

/** What tokens are good for. */
const RESOURCES = ["users", "logs", "idps", "policies", "trustedOrigins", "zones", "apiTokens"];

/** Every scope of a token, as it is stored: without the namespace. */
export const SCOPES: readonly string[] = RESOURCES.flatMap((resource) => [`${resource}.read`, `${resource}.manage`]);

/** All that an administrator may do. */
export const ALL_SCOPES: readonly string[] = RESOURCES.map((resource) => `${resource}.manage`);

/** What comes before a scope on the wire: `svc.`. */
export function scopePrefix(namespace: string): string {
  return `${compileNamespace("settings", namespace).name}.`;
}

/** What whoever has `scope` has with it: who may manage a resource may read it. With the namespace or without. */
export function impliedScope(scope: string): string | undefined {
  return scope.endsWith(".manage") ? scope.replace(/manage$/, "read") : undefined;
}

/** Why no token is made: one line for the person who asked for it. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

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

/** What the command line asks for. */
export interface TokenRequest {
  /** Its subdomain. */
  readonly org: string;
  /** `undefined`: one that no other token has. */
  readonly name: string | undefined;
  readonly scopes: readonly string[];
  /** Milliseconds from now, `undefined` for ever. */
  readonly lifetime: number | undefined;
}

/**
 * Make a token for whoever has access to the database.
 *
 * @throws {TokenError} when there is no such org, or the name is taken
 */
export async function createToken(store: Store, { org, name, scopes, lifetime }: TokenRequest): Promise<string> {
  const found = await store.findOrgBySubdomain(org);
  if (!found) throw new TokenError(`There is no org with the subdomain ${JSON.stringify(org)}`);
  try {
    return await store.write(async (transaction) => {
      const expiresAt = lifetime === undefined ? null : new Date(Date.parse(transaction.now) + lifetime).toISOString();
      const values = { name: name ?? `Command line ${createId()}`, scopes: [...scopes], expiresAt };
      return (await insertToken(transaction, found.id, values)).secret;
    });
  } catch (error) {
    if (isNameTaken(error)) throw new TokenError(`The org ${org} has a token with the name ${JSON.stringify(name)}`);
    throw error;
  }
}
