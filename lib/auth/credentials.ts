import { isToken } from "../text/index.js";

/**
 * Credentials and challenges, RFC 9110 sections 11.2 to 11.4, for schemes whose credentials are one token.
 *
 * credentials = auth-scheme 1*SP token68
 * auth-scheme = token
 * token68     = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="
 */
const CREDENTIALS_REGEXP = /^([^ ]+)(?: +([A-Za-z0-9._~+/-]+=*)$)?/;

/** The characters of a quoted-string, RFC 9110 section 5.6.4, without `obs-text`. */
const QUOTABLE_REGEXP = /^[\x20-\x7e]+$/;

/** Longer credentials are refused without calling the verifier. An access token with many claims has about 2,000 characters. */
export const MAX_CREDENTIALS_LENGTH = 8192;

/** A `Bearer` challenge needs a parameter (RFC 6750 section 3). */
export const DEFAULT_REALM = "api";

/** The value of an `Authorization` field. */
export interface Credentials {
  /** In lower case, because schemes are case-insensitive. */
  readonly scheme: string;
  /** Absent when the scheme is not followed by a token68. */
  readonly token?: string | undefined;
}

/** The parameters of a challenge, in the order in which they are sent. */
export interface ChallengeParameters {
  readonly realm: string;
  /** RFC 6750 section 3.1, RFC 9449 section 7.1 */
  readonly error?: "invalid_token" | "insufficient_scope" | "invalid_dpop_proof" | "use_dpop_nonce" | undefined;
  /** The algorithms of proofs, RFC 9449 section 7.1. Left out when there is none. */
  readonly algorithms?: readonly string[] | undefined;
  /** Left out when there is none. */
  readonly scopes?: readonly string[] | undefined;
  /** The URL of the metadata of the resource, RFC 9728 section 5.1. */
  readonly metadata?: string | undefined;
}

/** Parse an `Authorization` value; `undefined` when it doesn't begin with a scheme. Never throws. */
export function parseCredentials(value: string): Credentials | undefined {
  const [, scheme, token] = CREDENTIALS_REGEXP.exec(value) ?? [];
  return scheme !== undefined && isScheme(scheme) ? { scheme: scheme.toLowerCase(), token } : undefined;
}

/** Whether `value` can be the name of an authentication scheme, which is a token. */
export function isScheme(value: string): boolean {
  return isToken(value);
}

/** Whether `value` can be a realm: printable ASCII, not empty. */
export function isRealm(value: string): boolean {
  return QUOTABLE_REGEXP.test(value);
}

/** Format one challenge of `WWW-Authenticate`, with the parameters of RFC 6750 section 3, RFC 9449 section 7.1 and RFC 9728 section 5.1. */
export function formatChallenge(
  scheme: string,
  { realm, error, scopes = [], algorithms = [], metadata }: ChallengeParameters,
): string {
  const parameters = [`realm="${realm.replace(/["\\]/g, "\\$&")}"`];
  if (error !== undefined) parameters.push(`error="${error}"`);
  if (scopes.length > 0) parameters.push(`scope="${scopes.join(" ")}"`);
  if (algorithms.length > 0) parameters.push(`algs="${algorithms.join(" ")}"`);
  if (metadata !== undefined) parameters.push(`resource_metadata="${metadata}"`);
  return `${scheme} ${parameters.join(", ")}`;
}
