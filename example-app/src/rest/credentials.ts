import type { Request } from "express";
import { apiTokenVerifier } from "etiquette/api-token-verifier";
import type { AuthenticateOptions, CredentialsVerifier, Principal } from "etiquette/authenticate";
import { compileIpRanges } from "etiquette/ip-ranges";
import { getRequestContext } from "etiquette/request-context";
import { decodeJwt } from "jose";
import { noteHint } from "../audit/request-facts.js";
import type { ApiToken } from "../model/records.js";
import { impliedScope, scopePrefix } from "../model/scopes.js";
import type { Store } from "../store/store.js";
import { getTenant } from "../tenancy/tenant.js";
import { claimsOfAccess, claimsOfToken, lastUseOf } from "./caller.js";
import type { ApiSettings } from "./resource.js";
import type { TokenUses } from "./token-uses.js";

/** Accepts API tokens of the org, and access tokens of the authorization servers that it trusts (rule A1). */
export function createSchemes(
  store: Pick<Store, "findApiToken">,
  { namespace, apiTokenScheme }: Pick<ApiSettings, "namespace" | "apiTokenScheme">,
  uses: Pick<TokenUses, "note">,
): AuthenticateOptions["schemes"] {
  const prefix = scopePrefix(namespace);

  const verify = apiTokenVerifier({
    async find(hash, req) {
      const token = await store.findApiToken(getTenant(req).org.id, hash);
      if (!token || !isAllowedFrom(token, req)) return undefined;
      return { hash, expiresAt: endOf(token, hash), ...principalOf(token, prefix) };
    },
  });

  const verifyApiToken: CredentialsVerifier = async (secret, req) => {
    const principal = await verify(secret, req);
    if (principal) uses.note(getTenant(req).org.id, principal.subject, lastUseOf(principal));
    return principal;
  };

  const verifyAccessToken: CredentialsVerifier = async (token, req) => {
    const issuer = getTenant(req).trust.accessTokenVerifiers.get(issuerOf(token));
    const principal = await issuer?.verify(token, req);
    if (!principal) return undefined;
    const claims = claimsOfAccess(principal.claims?.["exp"]);
    return { ...principal, scopes: withReading(principal.scopes), claims: { ...claims } };
  };

  return { Bearer: verifyAccessToken, [apiTokenScheme]: verifyApiToken };
}

/** @param prefix the beginning of scopes: `svc.` */
export function principalOf(token: ApiToken, prefix: string): Principal {
  const scopes = withReading(token.scopes.map((scope) => prefix + scope));
  return { subject: token.id, scopes, claims: claimsOfToken(token) };
}

/** The end of the secret with this hash: that of the token, and after a rotation also that of the old secret. */
export function endOf({ hash, previous, expiresAt }: ApiToken, used: string): Date | null {
  const ends = [expiresAt, used === hash ? null : previous?.expiresAt].flatMap((end) => (end ? [Date.parse(end)] : []));
  return ends.length === 0 ? null : new Date(Math.min(...ends));
}

/** The client is told nothing else than for an unknown token; the log of the org has the reason. */
export function isAllowedFrom({ id, addresses }: ApiToken, req: Request): boolean {
  if (addresses.length === 0) return true;
  const { ip } = getRequestContext(req);
  if (compileIpRanges(addresses)(ip ?? undefined)) return true;
  noteHint(req, `The API token ${id} is not allowed from this address.`);
  return false;
}

function withReading(scopes: readonly string[]): string[] {
  return [...scopes, ...scopes.flatMap((scope) => impliedScope(scope) ?? [])];
}

/** The issuer in an unverified token. It only selects the keys that verify the token. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
