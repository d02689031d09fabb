import { recordCommandEvents, writeCommand } from "../../audit/command-events.js";
import { describeApiToken } from "../../audit/describe-change.js";
import { createId } from "../../model/ids.js";
import { dateAfter } from "../../model/dates.js";
import type { Org } from "../../model/records.js";
import { insertToken, isNameTaken, listTokens, removeToken } from "../../store/records/api-tokens.js";
import type { Store } from "../../store/store.js";
import { formatTable } from "./table.js";

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
  /** Milliseconds from now; `Infinity` for a token that never expires. */
  readonly lifetime: number;
  /** Where it may be used; empty for everywhere. */
  readonly addresses: readonly string[];
}

/**
 * Create a token. Access to the database is the only authorization.
 *
 * @throws {TokenError} when there is no such org, or the name is taken
 */
export async function createToken(store: Store, request: TokenRequest): Promise<string> {
  const { org, name, scopes, lifetime, addresses } = request;
  const { id } = await findOrg(store, org);
  try {
    return await writeCommand(store, async (transaction) => {
      const values = {
        name: name ?? `Command line ${createId()}`,
        scopes: [...scopes],
        expiresAt: dateAfter(transaction.now, lifetime),
        addresses: [...addresses],
        createdBy: { type: "Command", id: "token create" } as const,
      };
      const { record, secret } = await insertToken(transaction, id, values);
      await recordCommandEvents(transaction, id, { command: "token create" }, [
        () => describeApiToken("create", record),
      ]);
      return secret;
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
    token.lastUsed ?? "-",
  ]);
  return formatTable([["ID", "NAME", "SCOPES", "CREATED", "EXPIRES", "LAST USE"], ...rows]);
}

/**
 * Revoke a token and those made with it: the next request with one of them is refused, on every node.
 *
 * @throws {TokenError} when there is no such org, or it has no such token
 */
export async function revokeToken(store: Store, org: string, id: string): Promise<void> {
  const { id: orgId } = await findOrg(store, org);
  const revoked = await writeCommand(store, async (transaction) => {
    const tokens = await removeToken(transaction, orgId, id);
    const events = tokens.map((token) => () => describeApiToken("revoke", token));
    if (tokens.length > 0) await recordCommandEvents(transaction, orgId, { command: "token revoke" }, events);
    return tokens;
  });
  if (revoked.length > 0) return;
  throw new TokenError(`The org ${org} has no token with the id ${JSON.stringify(id)}; token list shows the ids`);
}

export async function findOrg(store: Store, subdomain: string): Promise<Org> {
  const found = await store.findOrgBySubdomain(subdomain);
  if (!found) throw new TokenError(`There is no org with the subdomain ${JSON.stringify(subdomain)}`);
  return found;
}
