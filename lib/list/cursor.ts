import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from "node:crypto";

/**
 * Cursors: a place in one list, opaque to clients and safe against tampering (rule P1).
 *
 * cursor    = base64url( tag body )                         RFC 4648 section 5, without padding
 * tag       = the first 18 bytes of HMAC-SHA256( key, context body ), RFC 2104 section 5
 * body      = version direction keys
 * version   = "1"
 * direction = ">" / "<"                                     after / before
 * keys      = a JSON array of the key values of the row at the place
 * context   = a JSON array of resource, org, filter and sort
 *
 * The context is not in the cursor, but the same tag needs the same context. Context and keys are JSON arrays with known
 * characters between them, so different pairs of context and body are never the same message.
 */
const VERSION = "1";

/** In bytes, 144 bits: a multiple of three, so that a tag takes whole base64 characters. */
const TAG_LENGTH = 18;

/** A longer text is refused unread. With two such cursors, in `self` and `next`, a header stays below the usual 16 KB. */
export const MAX_CURSOR_LENGTH = 4096;

export const MAX_CURSOR_KEYS = 8;

/** In bytes: the output length of SHA-256, RFC 2104 section 3. */
const MIN_SECRET_LENGTH = 32;

/** Separates these keys from others that are derived from the same secret, RFC 5869 section 3.2. */
const KEY_INFO = `etiquette cursor ${VERSION}`;

/** A value by which rows are ordered. Use dates as the text that the store compares, with all digits. */
export type CursorKey = string | number | boolean | null;

/** `after`: the rows that follow the place. `before`: the rows that precede it. */
export type CursorDirection = "after" | "before";

export interface Cursor {
  readonly direction: CursorDirection;
  /** The key values of the row at the place, in sort order. */
  readonly keys: readonly CursorKey[];
}

/** The facts that a cursor is bound to. Absent, `undefined` and `null` mean the same. */
export interface CursorContext {
  readonly resource: string;
  readonly org?: string | null | undefined;
  readonly filter?: string | null | undefined;
  readonly sort?: string | null | undefined;
}

/**
 * - `encoding`: not in the base64url form of a cursor
 * - `length`: more than 4,096 characters
 * - `signature`: altered, made with other secrets, or for another org, resource, filter or sort order
 * - `version`: made by another version of this library
 * - `direction`: for the other direction
 */
export type CursorErrorReason = "encoding" | "length" | "signature" | "version" | "direction";

const MESSAGES: Readonly<Record<CursorErrorReason, string>> = {
  encoding: "it is not a cursor",
  length: `it is longer than ${MAX_CURSOR_LENGTH} characters`,
  signature: "it was altered, or made for another org, resource, filter or sort order",
  version: "it was made by another version of this service",
  direction: "it is a cursor for the other direction",
};

/** A text is not a cursor for this list, or no cursor can be made. */
export class CursorError extends Error {
  override readonly name = "CursorError";
  readonly reason: CursorErrorReason;

  constructor(reason: CursorErrorReason) {
    super(MESSAGES[reason]);
    this.reason = reason;
  }
}

/** Writes and reads cursors. Its keys are derived once. */
export interface CursorCodec {
  /**
   * @throws {CursorError} `length`, when the keys are too long
   * @throws {TypeError} when the keys are not 1 to 8 strings, finite numbers, booleans and nulls
   */
  encode(cursor: Cursor, context: CursorContext): string;
  /** @throws {CursorError} when `text` is not exactly what {@link encode} returned for this direction and context */
  decode(text: string, direction: CursorDirection, context: CursorContext): Cursor;
}

/** Whether `value` can be a secret: 32 bytes or more. */
export function isCursorSecret(value: unknown): value is string | Uint8Array {
  return (typeof value === "string" || value instanceof Uint8Array) && Buffer.byteLength(value) >= MIN_SECRET_LENGTH;
}

/**
 * Create a codec for cursors.
 *
 * @param secrets the first signs, all verify. To change the secret, put the new one first, and remove the old one when its
 *   cursors are no longer in use
 * @throws {TypeError} when there is no secret, or one is shorter than 32 bytes
 */
export function compileCursorCodec(secrets: readonly (string | Uint8Array)[]): CursorCodec {
  if (!secrets.every(isCursorSecret)) throw new TypeError(`a secret has ${MIN_SECRET_LENGTH} bytes or more`);
  const keys = secrets.map(deriveKey);
  const [signingKey] = keys;
  if (signingKey === undefined) throw new TypeError("there must be a secret");

  return {
    encode({ direction, keys: values }, context) {
      assertKeys(values);
      const body = Buffer.from(`${VERSION}${direction === "after" ? ">" : "<"}${JSON.stringify(values)}`);
      const text = sign(signingKey, formatContext(context), body).toString("base64url") + body.toString("base64url");
      if (text.length > MAX_CURSOR_LENGTH) throw new CursorError("length");
      return text;
    },

    decode(text, direction, context) {
      if (text.length > MAX_CURSOR_LENGTH) throw new CursorError("length");
      const bytes = Buffer.from(text, "base64url");
      // Buffer skips characters that are not base64url, and several texts decode to the same bytes
      if (bytes.length <= TAG_LENGTH || bytes.toString("base64url") !== text) throw new CursorError("encoding");

      const tag = bytes.subarray(0, TAG_LENGTH);
      const body = bytes.subarray(TAG_LENGTH);
      const contextText = formatContext(context);
      if (!keys.some((key) => timingSafeEqual(tag, sign(key, contextText, body)))) throw new CursorError("signature");
      return parseBody(body.toString(), direction);
    },
  };
}

function deriveKey(secret: string | Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", KEY_INFO, MIN_SECRET_LENGTH)));
}

function sign(key: KeyObject, context: string, body: Buffer): Buffer {
  return createHmac("sha256", key).update(context).update(body).digest().subarray(0, TAG_LENGTH);
}

function formatContext({ resource, org = null, filter = null, sort = null }: CursorContext): string {
  return JSON.stringify([resource, org, filter, sort]);
}

/** A signed body was made by this code, so it needs no further checks. */
function parseBody(body: string, direction: CursorDirection): Cursor {
  if (!body.startsWith(VERSION)) throw new CursorError("version");
  if (body.charAt(1) !== (direction === "after" ? ">" : "<")) throw new CursorError("direction");
  return { direction, keys: JSON.parse(body.slice(2)) as CursorKey[] };
}

function assertKeys(keys: readonly unknown[]): void {
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_CURSOR_KEYS) {
    throw new TypeError(`the keys of a row must be an array of 1 to ${MAX_CURSOR_KEYS} values`);
  }
  for (const [index, key] of (keys as unknown[]).entries()) {
    if (key instanceof Date) {
      throw new TypeError(`key ${index} is a Date, which has milliseconds; give the text that the store compares`);
    }
    if (!isKey(key)) throw new TypeError(`key ${index} must be a string, a finite number, a boolean or null`);
  }
}

function isKey(value: unknown): value is CursorKey {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}
