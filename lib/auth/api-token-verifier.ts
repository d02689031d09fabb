import { randomBytes } from "node:crypto";
import type { Request } from "express";
import { generateApiToken, hashApiToken, matchHash, type NewApiToken } from "./api-token.js";
import { assertKnownOptions, functionOption, optionError } from "../options/index.js";
import type { Principal } from "./principal.js";

export { hashApiToken, type NewApiToken } from "./api-token.js";

/** What is stored of an API token. Of these, handlers see only what makes the principal. */
export interface ApiTokenRecord extends Principal {
  /** {@link hashApiToken} of the token. */
  readonly hash: string;
  /** The first moment at which the token is no longer valid; without one it never expires. */
  readonly expiresAt?: Date | null | undefined;
  /** Whether the token was taken back. */
  readonly revoked?: boolean | null | undefined;
}

type Found = ApiTokenRecord | null | undefined;

export interface ApiTokenVerifierOptions {
  /**
   * Find the record with this hash, 64 hexadecimal digits in lower case, among the tokens of the org that the request is
   * for, and of no other. Throws when the store can't be asked.
   */
  find: (hash: string, req: Request) => Found | Promise<Found>;

  /**
   * The current time, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: () => number;
}

const OPTIONS: Record<keyof ApiTokenVerifierOptions, true> = { find: true, now: true };

/**
 * A verifier of API tokens for `authenticate`, on any store: `schemes: { SVC: apiTokenVerifier({ find }) }`. Hashes the
 * token, looks the hash up, compares it in constant time, and refuses what is expired or revoked. Does not store tokens.
 *
 * @throws {TypeError} when an option is unknown, missing or of the wrong type
 */
export function apiTokenVerifier(
  options: Readonly<ApiTokenVerifierOptions>,
): (token: string, req: Request) => Promise<Principal | undefined> {
  const { find, now } = parseOptions(options);

  return async function verifyApiToken(token, req) {
    const hash = hashApiToken(token);
    const record = await find(hash, req);
    if (!record || !matchHash(record.hash, hash) || !isCurrent(record, now())) return undefined;
    const { subject, scopes, claims } = record;
    return { subject, scopes, ...(claims && { claims }) };
  };
}

/**
 * Make an API token of 160 random bits. Show `token` to its owner once, and store `hash`.
 *
 * @param random the source of randomness
 */
export function createApiToken(random: (size: number) => Buffer = randomBytes): NewApiToken {
  return generateApiToken(random);
}

/** Fails closed: any truthy `revoked`, a date or `1` of a database too, revokes, and an invalid date has passed. */
function isCurrent({ expiresAt, revoked }: ApiTokenRecord, now: number): boolean {
  if (revoked) return false;
  if (expiresAt === undefined || expiresAt === null) return true;
  if (!isDate(expiresAt)) throw new TypeError("apiTokenVerifier: `expiresAt` of a record must be a Date");
  return now < expiresAt.getTime();
}

/** Stores return what they like. */
function isDate(value: unknown): value is Date {
  return value instanceof Date;
}

function parseOptions(options: Readonly<ApiTokenVerifierOptions>): Required<ApiTokenVerifierOptions> {
  assertKnownOptions("apiTokenVerifier", options, OPTIONS);
  const { find } = options;
  if (typeof find !== "function") throw optionError("apiTokenVerifier", "find", "a function");
  return { find, now: functionOption("apiTokenVerifier", "now", options.now, Date.now) };
}
