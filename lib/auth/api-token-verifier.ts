import { randomBytes } from "node:crypto";
import type { Request } from "express";
import {
  generateApiToken,
  hashApiToken,
  matchHash,
  type CreateApiTokenOptions,
  type NewApiToken,
} from "./api-token.js";
import { assertKnownOptions, functionOption, type NothingElse, optionError } from "../factory/index.js";
import type { Principal } from "./principal.js";

export { type CreateApiTokenOptions, hashApiToken, isApiToken, type NewApiToken } from "./api-token.js";

/** A stored API token. Handlers see only the members of {@link Principal}. */
export interface ApiTokenRecord extends Principal {
  /** {@link hashApiToken} of the token. */
  readonly hash: string;
  /** The token is valid before this moment; without it the token never expires. */
  readonly expiresAt?: Date | null | undefined;
  /** Whether the token was revoked. */
  readonly revoked?: boolean | null | undefined;
}

type Found = ApiTokenRecord | null | undefined;

export interface ApiTokenVerifierOptions {
  /**
   * Finds the record with this hash, 64 hexadecimal digits in lower case. Search only the tokens of the org that the
   * request is for. Throw when the store is not available.
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
 * Create a verifier of API tokens for `authenticate`, for any store. It hashes the token, looks the hash up, compares it
 * in constant time, and refuses a token that is expired or revoked. Does not store tokens.
 *
 * @throws {TypeError} when an option is unknown, missing or of the wrong type
 * @example
 * const find = (hash) => tokens.findOne({ hash });
 * app.use(authenticate({ schemes: { SVC: apiTokenVerifier({ find }) } }));
 */
export function apiTokenVerifier(
  options: Readonly<ApiTokenVerifierOptions>,
  ..._: NothingElse
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
 * Make an API token of 160 random bits, with a prefix and a checksum by which secret scanners find it. Show `token` to its
 * owner once, and store only `hash`.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 * @example
 * const { token, hash } = createApiToken({ prefix: "acme" });
 */
export function createApiToken(options: Readonly<CreateApiTokenOptions> = {}): NewApiToken {
  return generateApiToken(options, randomBytes);
}

/** Fails closed: any truthy `revoked` counts, such as a date or `1` from a database, and an invalid date is expired. */
function isCurrent({ expiresAt, revoked }: ApiTokenRecord, now: number): boolean {
  if (revoked) return false;
  if (expiresAt === undefined || expiresAt === null) return true;
  if (!isDate(expiresAt)) throw new TypeError("apiTokenVerifier: `expiresAt` of a record must be a Date");
  return now < expiresAt.getTime();
}

/** The store may return another type than it declares. */
function isDate(value: unknown): value is Date {
  return value instanceof Date;
}

function parseOptions(options: Readonly<ApiTokenVerifierOptions>): Required<ApiTokenVerifierOptions> {
  assertKnownOptions(
    "apiTokenVerifier",
    options,
    OPTIONS,
    "authenticate({ schemes: { SVC: apiTokenVerifier({ … }) } })",
  );
  const { find } = options;
  if (typeof find !== "function") throw optionError("apiTokenVerifier", "find", "a function");
  return { find, now: functionOption("apiTokenVerifier", "now", options.now, Date.now) };
}
