import { formatChallenge } from "./credentials.js";
import type { ErrorFacts } from "../errors/index.js";
import { optionError, stringsOption } from "../factory/index.js";

/**
 * Scopes, RFC 6749 section 3.3.
 *
 * scope       = scope-token *( SP scope-token )
 * scope-token = 1*( %x21 / %x23-5B / %x5D-7E )
 */
const SCOPE_REGEXP = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** The challenge for credentials that lack a scope. */
export interface ScopeChallenge<R> {
  readonly scheme: string;
  readonly realm: string;
  /** Scopes that the operation needs. */
  readonly scopes: readonly string[];
  readonly metadataUrlOf: (req: R) => string | undefined;
}

/**
 * The scopes in the claim of a token: a string with spaces between them, or an array of strings. Any other claim has no
 * scopes.
 */
export function parseScopes(claim: unknown): readonly string[] {
  if (typeof claim === "string") return claim.split(" ").filter((scope) => scope !== "");
  return Array.isArray(claim) && claim.every((scope) => typeof scope === "string") ? claim : [];
}

/** The facts of the error when one of `scopes` is not granted, RFC 6750 section 3.1; `undefined` when all are granted. */
export function findScopeFault<R>(
  granted: readonly string[],
  { scheme, realm, scopes, metadataUrlOf }: ScopeChallenge<R>,
  req: R,
): ErrorFacts | undefined {
  const missing = scopes.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return undefined;
  const parameters = { realm, error: "insufficient_scope", scopes, metadata: metadataUrlOf(req) } as const;
  return {
    type: "scope.insufficient",
    causes: missing.map((scope) => `The credentials lack the scope ${scope}.`),
    headers: { "WWW-Authenticate": formatChallenge(scheme, parameters) },
  };
}

/** A copy of `value`, an array of scopes; empty when `value` is absent. */
export function scopesOption(factory: string, option: string, value: unknown): readonly string[] {
  const scopes = stringsOption(factory, option, value, []);
  if (!scopes.every((scope) => SCOPE_REGEXP.test(scope))) {
    throw optionError(factory, option, 'an array of scopes: printable ASCII without space, " and \\');
  }
  return scopes;
}
