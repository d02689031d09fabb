import { createId } from "../model/ids.js";
import type { Org } from "../model/records.js";
import { insertToken, isNameTaken, listTokens, removeToken } from "../store/api-tokens.js";
import type { Store } from "../store/store.js";

/** The reason why a command on tokens can't be done: one line for the user of the command line. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

/** The token that the command line asks for. */
export interface TokenRequest {
  /** Subdomain of the org. */
  readonly org: string;
  /** `undefined` for a generated name. */
  readonly name: string | undefined;
  readonly scopes: readonly string[];
  /** Milliseconds from now; `undefined` for a token that never expires. */
  readonly lifetime: number | undefined;
}

/**
 * Create a token. Access to the database is the only authorization.
 *
 * @throws {TokenError} when there is no such org, or the name is taken
 */
export async function createToken(store: Store, { org, name, scopes, lifetime }: TokenRequest): Promise<string> {
  const { id } = await findOrg(store, org);
  try {
    return await store.write(async (transaction) => {
      const expiresAt = lifetime === undefined ? null : new Date(Date.parse(transaction.now) + lifetime).toISOString();
      const values = { name: name ?? `Command line ${createId()}`, scopes: [...scopes], expiresAt };
      return (await insertToken(transaction, id, values)).secret;
    });
  } catch (error) {
    if (isNameTaken(error)) throw new TokenError(`The org ${org} has a token with the name ${JSON.stringify(name)}`);
    throw error;
  }
}

/**
 * A table of the tokens of the org, by name, without their secrets.
 *
 * @param prefix the beginning of scopes: `svc.`
 * @throws {TokenError} when there is no such org
 */
export async function formatTokens(store: Store, org: string, prefix: string): Promise<string> {
  const { id } = await findOrg(store, org);
  const rows = (await store.read((db) => listTokens(db, id))).map((token) => [
    token.id,
    token.name,
    token.scopes.map((scope) => prefix + scope).join(","),
    token.created,
    token.expiresAt ?? "never",
    token.lastUse ?? "-",
  ]);
  const table = [["ID", "NAME", "SCOPES", "CREATED", "EXPIRES", "LAST USE"], ...rows];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/**
 * Revoke a token: the next request with it is refused, on every node.
 *
 * @throws {TokenError} when there is no such org, or it has no such token
 */
export async function revokeToken(store: Store, org: string, id: string): Promise<void> {
  const { id: orgId } = await findOrg(store, org);
  if (await store.write((transaction) => removeToken(transaction, orgId, id))) return;
  throw new TokenError(`The org ${org} has no token with the id ${JSON.stringify(id)}; token list shows the ids`);
}

async function findOrg(store: Store, subdomain: string): Promise<Org> {
  const found = await store.findOrgBySubdomain(subdomain);
  if (!found) throw new TokenError(`There is no org with the subdomain ${JSON.stringify(subdomain)}`);
  return found;
}
