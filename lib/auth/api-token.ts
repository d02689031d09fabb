/**
 * API tokens that secret scanners find.
 *
 * token    = prefix "_" 27base62 checksum
 * prefix   = ALPHA-lower 1*15( ALPHA-lower / DIGIT )
 * checksum = 6base62, the CRC-32 of all before it
 *
 * Digits of base62 are 0-9, A-Z and a-z, in this order; the most significant one comes first.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { assertKnownOptions, functionOption, optionError } from "../factory/index.js";

const TOKEN_REGEXP = /^[a-z][a-z0-9]{1,15}_[0-9A-Za-z]{33}$/;

const PREFIX_REGEXP = /^[a-z][a-z0-9]{1,15}$/;

const DEFAULT_PREFIX = "etq";

/** 160 bits can't be guessed, so one round of SHA-256 is enough for the stored hash. */
const TOKEN_BYTES = 20;

/** Digits of base62 that hold 160 bits. */
const SECRET_LENGTH = 27;

/** Digits of base62 that hold 32 bits. */
const CHECKSUM_LENGTH = 6;

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** SHA-256 in hexadecimal. */
const HASH_REGEXP = /^[0-9a-f]{64}$/;

/** A new API token. */
export interface NewApiToken {
  /** For the owner: `etq_` and 33 letters and digits. */
  readonly token: string;
  /** 64 hexadecimal digits, for the store. */
  readonly hash: string;
}

export interface CreateApiTokenOptions {
  /**
   * What tokens begin with, before `_`: 2–16 lower-case letters and digits, a letter first.
   *
   * @default "etq"
   */
  prefix?: string;

  /**
   * Returns as many random bytes as asked for.
   *
   * @default crypto.randomBytes
   */
  random?: (size: number) => Buffer;
}

const OPTIONS: Record<keyof CreateApiTokenOptions, true> = { prefix: true, random: true };

/** Make a token of 160 random bits. `random` is the default source of randomness. */
export function generateApiToken(
  options: Readonly<CreateApiTokenOptions>,
  random: (size: number) => Buffer,
): NewApiToken {
  assertKnownOptions("createApiToken", options, OPTIONS);
  const { prefix = DEFAULT_PREFIX } = options;
  if (!isPrefix(prefix)) {
    throw optionError("createApiToken", "prefix", "2 to 16 lower-case letters and digits, a letter first");
  }
  const source = functionOption("createApiToken", "random", options.random, random);
  const secret = BigInt(`0x${source(TOKEN_BYTES).toString("hex")}`);
  const text = `${prefix}_${formatBase62(secret, SECRET_LENGTH)}`;
  const token = text + checksumOf(text);
  return { token, hash: hashApiToken(token) };
}

/**
 * Whether `text` has the form and the checksum of a token of `createApiToken`, with any prefix. For scanners: it does not
 * tell whether there is such a token.
 */
export function isApiToken(text: string): boolean {
  return TOKEN_REGEXP.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH)));
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

function isPrefix(value: unknown): boolean {
  return typeof value === "string" && PREFIX_REGEXP.test(value);
}

function checksumOf(text: string): string {
  return formatBase62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function formatBase62(value: bigint, length: number): string {
  let digits = "";
  for (let rest = value; digits.length < length; rest /= 62n) digits = DIGITS.charAt(Number(rest % 62n)) + digits;
  return digits;
}
