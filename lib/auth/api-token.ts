import { createHash, timingSafeEqual } from "node:crypto";

/** 160 bits, more than anyone can guess: that is why one round of SHA-256 is enough to store it. */
const TOKEN_BYTES = 20;

/** SHA-256 in hexadecimal. */
const HASH_REGEXP = /^[0-9a-f]{64}$/;

/** A new API token: shown once to its owner, stored as its hash. */
export interface NewApiToken {
  /** 40 hexadecimal digits. */
  readonly token: string;
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/**
 * Make a token of 160 random bits.
 *
 * @param random the source of randomness, `crypto.randomBytes`
 */
export function generateApiToken(random: (size: number) => Buffer): NewApiToken {
  const token = random(TOKEN_BYTES).toString("hex");
  return { token, hash: hashApiToken(token) };
}

/**
 * What is stored of a token: its SHA-256, 64 hexadecimal digits. For random tokens only; what people make up needs a slow
 * hash.
 */
export function hashApiToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Whether two hashes are equal, in a time that does not depend on where they differ. What is no hash equals none. */
export function matchHash(a: string, b: string): boolean {
  return HASH_REGEXP.test(a) && HASH_REGEXP.test(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
