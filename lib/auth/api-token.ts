import { createHash, timingSafeEqual } from "node:crypto";

/** 160 bits can't be guessed, so one round of SHA-256 is enough for the stored hash. */
const TOKEN_BYTES = 20;

/** SHA-256 in hexadecimal. */
const HASH_REGEXP = /^[0-9a-f]{64}$/;

/** A new API token. */
export interface NewApiToken {
  /** 40 hexadecimal digits, for the owner. */
  readonly token: string;
  /** 64 hexadecimal digits, for the store. */
  readonly hash: string;
}

/**
 * Make a token of 160 random bits.
 *
 * @param random returns as many random bytes as asked for
 */
export function generateApiToken(random: (size: number) => Buffer): NewApiToken {
  const token = random(TOKEN_BYTES).toString("hex");
  return { token, hash: hashApiToken(token) };
}

/**
 * Hash a token for the store: SHA-256, 64 hexadecimal digits in lower case. For random tokens only; passwords need a slow
 * hash.
 *
 * @example
 * hashApiToken("abc"); // "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
 */
export function hashApiToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Compare two hashes in constant time. False when one of them is not a hash. */
export function matchHash(a: string, b: string): boolean {
  return HASH_REGEXP.test(a) && HASH_REGEXP.test(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
