import { createId } from "../model/ids.js";
import { insertToken, isNameTaken } from "../store/api-tokens.js";
import type { Store } from "../store/store.js";

/** The reason why a token can't be created: one line for the user of the command line. */
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
