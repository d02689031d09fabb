import { apiTokenVerifier } from "etiquette/api-token-verifier";
import type { AuthenticateOptions, CredentialsVerifier } from "etiquette/authenticate";
import { decodeJwt } from "jose";
import { impliedScope, scopePrefix } from "../model/scopes.js";
import type { Store } from "../store/store.js";
import { getTenant } from "../tenancy/tenant.js";
import type { ApiSettings } from "./resource.js";

/** Accepts API tokens of the org, and access tokens of the authorization servers that it trusts (rule A1). */
export function createSchemes(
  store: Pick<Store, "findApiToken">,
  { namespace, apiTokenScheme }: Pick<ApiSettings, "namespace" | "apiTokenScheme">,
): AuthenticateOptions["schemes"] {
  const prefix = scopePrefix(namespace);

  const verifyApiToken = apiTokenVerifier({
    async find(hash, req) {
      const token = await store.findApiToken(getTenant(req).org.id, hash);
      return (
        token && {
          hash,
          subject: token.id,
          scopes: withReading(token.scopes.map((scope) => prefix + scope)),
          expiresAt: token.expiresAt === null ? null : new Date(token.expiresAt),
          claims: { tokenName: token.name },
        }
      );
    },
  });

  const verifyAccessToken: CredentialsVerifier = async (token, req) => {
    const issuer = getTenant(req).routing.accessTokenVerifiers.get(issuerOf(token));
    const principal = await issuer?.verify(token, req);
    return principal && { ...principal, scopes: withReading(principal.scopes), claims: {} };
  };

  return { Bearer: verifyAccessToken, [apiTokenScheme]: verifyApiToken };
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
