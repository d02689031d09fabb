import type { Request } from "express";
import { apiTokenVerifier } from "etiquette/api-token-verifier";
import type { AuthenticateOptions, CredentialsVerifier, Principal } from "etiquette/authenticate";
import { compileIpRanges, type IpRangeSet } from "etiquette/ip-ranges";
import { getRequestContext } from "etiquette/request-context";
import { decodeJwt } from "jose";
import { findClientIp } from "../audit/program-log.js";
import { noteHint } from "../audit/request-facts.js";
import { isConsoleToken } from "../model/console-tokens.js";
import type { ApiToken } from "../model/records.js";
import { impliedScope, scopePrefix } from "../model/scopes.js";
import type { Store } from "../store/store.js";
import { getTenant } from "../tenancy/tenant.js";
import { claimsOfAccess, claimsOfToken, endOf, lastUseOf } from "./caller.js";
import type { ApiSettings } from "../model/api-settings.js";
import { PROOF_ALGORITHMS } from "./proofs.js";
import type { TokenUses } from "./token-uses.js";

export interface SchemeOptions {
  store: Pick<Store, "findApiToken">;
  settings: Pick<ApiSettings, "namespace" | "apiTokenScheme">;
  uses: Pick<TokenUses, "note">;
  isAllowedFrom: AddressCheck;
}

/**
 * Accepts API tokens of the org, and access tokens of the authorization servers that it trusts (rule A1). The token of a link
 * to the console is for its session alone.
 */
export function createSchemes({
  store,
  settings: { namespace, apiTokenScheme },
  uses,
  isAllowedFrom,
}: Readonly<SchemeOptions>): AuthenticateOptions["schemes"] {
  const prefix = scopePrefix(namespace);

  const verify = apiTokenVerifier({
    async find(hash, req) {
      const token = await store.findApiToken(getTenant(req).org.id, hash);
      if (!token || isConsoleToken(token) || !isAllowedFrom(token, req)) return undefined;
      return { hash, expiresAt: endOf(token, hash), ...principalOf(token, hash, prefix) };
    },
  });

  const verifyApiToken: CredentialsVerifier = async (secret, req) => {
    const principal = await verify(secret, req);
    if (principal) uses.note(getTenant(req).org.id, principal.subject, lastUseOf(principal));
    return principal;
  };

  const verifyBound = Object.assign(verifierOf("verifyBound"), { proofAlgorithms: PROOF_ALGORITHMS });
  return { Bearer: verifierOf("verify"), DPoP: verifyBound, [apiTokenScheme]: verifyApiToken };
}

/** Verifies access tokens with one of the verifiers of their issuer. */
function verifierOf(name: "verify" | "verifyBound"): CredentialsVerifier {
  return async function verifyAccessToken(token, req) {
    const issuer = getTenant(req).trust.accessTokenVerifiers.get(issuerOf(token));
    const principal = await issuer?.[name](token, req);
    if (!principal) return undefined;
    const claims = claimsOfAccess(principal.claims?.["exp"]);
    return { ...principal, scopes: withReading(principal.scopes), claims: { ...claims } };
  };
}

/**
 * @param secretHash of the secret that is used
 * @param prefix the beginning of scopes: `svc.`
 */
export function principalOf(token: ApiToken, secretHash: string, prefix: string): Principal {
  const scopes = withReading(token.scopes.map((scope) => prefix + scope));
  return { subject: token.id, scopes, claims: { ...claimsOfToken(token, secretHash) } };
}

/** Whether a token may be used from the address of a request. */
export type AddressCheck = (token: Pick<ApiToken, "id" | "addresses">, req: Request) => boolean;

/**
 * The address is the one that the proxies of the service report: the proxies of an org's zones are the word of its
 * administrators. The client is told nothing else than for an unknown token; the log of the org has the reason.
 */
export function createAddressCheck(isProxy: IpRangeSet): AddressCheck {
  return function isAllowedFrom({ id, addresses }, req) {
    if (addresses.length === 0) return true;
    const ip = findClientIp({ context: getRequestContext(req), peer: req.socket.remoteAddress }, isProxy);
    if (compileIpRanges(addresses)(ip)) return true;
    noteHint(req, `The API token ${id} is not allowed from this address.`);
    return false;
  };
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
