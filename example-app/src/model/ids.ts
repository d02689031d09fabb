import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 62²⁰ ids: two of a billion records collide with a probability of 10⁻¹⁸. */
const ID_LENGTH = 20;

/** The format of ids from {@link createId}. */
export const ID_REGEXP = /^[0-9A-Za-z]{20}$/;

/** A new id: 20 random characters that need no escaping anywhere. */
export function createId(): string {
  let id = "";
  for (let i = 0; i < ID_LENGTH; i++) id += ALPHABET.charAt(randomInt(ALPHABET.length));
  return id;
}
