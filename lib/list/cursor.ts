import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type CipherGCM,
  type KeyObject,
} from "node:crypto";
import { optionError } from "../factory/index.js";

/**
 * Cursors: a place in one list, encrypted, so that clients can neither read nor alter it (rule P1).
 *
 * cursor    = base64url( nonce tag sealed )                 RFC 4648 section 5, without padding
 * sealed    = AES-256-GCM( key, nonce, body ), with context as additional data: NIST SP 800-38D
 * nonce     = the first 12 bytes of HMAC-SHA256( nonce key, context body ), RFC 2104
 * body      = direction keys
 * direction = ">" / "<"                                     after / before
 * keys      = a JSON array of the key values of the row at the place
 * context   = a JSON array of resource, org, filter and sort
 *
 * The context is not in the cursor, but it opens with the same context only. The nonce depends on all that is sealed: the
 * same place has the same cursor, and two places have the same nonce as seldom as with random nonces. Context and keys are
 * JSON arrays with a known character between them, so different pairs of context and body are never the same message.
 */
const CIPHER = "aes-256-gcm";

/** In bytes, the length that GCM is made for. */
const NONCE_LENGTH = 12;

/** In bytes, GCM's longest. */
const TAG_LENGTH = 16;

const HEAD_LENGTH = NONCE_LENGTH + TAG_LENGTH;

/** A longer text is refused unread. With two such cursors, in `self` and `next`, a header stays below the usual 16 KB. */
export const MAX_CURSOR_LENGTH = 4096;

export const MAX_CURSOR_KEYS = 8;

/** In bytes: the output length of SHA-256, RFC 2104 section 3. */
const MIN_SECRET_LENGTH = 32;

/** Separates these keys from others that are derived from the same secret, RFC 5869 section 3.2. */
const KEY_INFO = "etiquette cursor 2";

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
 * - `signature`: altered, made with other secrets or by another version of this library, or for another org, resource,
 *   filter or sort order
 * - `direction`: for the other direction
 */
export type CursorErrorReason = "encoding" | "length" | "signature" | "direction";

const MESSAGES: Readonly<Record<CursorErrorReason, string>> = {
  encoding: "it is not a cursor",
  length: `it is longer than ${MAX_CURSOR_LENGTH} characters`,
  signature: "it was altered, or made for another org, resource, filter or sort order",
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

/** The secrets of {@link compileCursorCodec}, from the option `secret` of `factory`. */
export function secretsOption(factory: string, value: unknown): readonly (string | Uint8Array)[] {
  const secrets: unknown[] = Array.isArray(value) ? value : [value];
  if (secrets.length > 0 && secrets.every(isCursorSecret)) return secrets;
  throw optionError(factory, "secret", "a string or bytes of 32 bytes or more, or an array of these");
}

function isCursorSecret(value: unknown): value is string | Uint8Array {
  return (typeof value === "string" || value instanceof Uint8Array) && Buffer.byteLength(value) >= MIN_SECRET_LENGTH;
}

/**
 * Create a codec for cursors, for any framework. On Express, use `pagination()`.
 *
 * @param secrets the first seals, all open. To change the secret, put the new one first, and remove the old one when its
 *   cursors are no longer in use
 * @throws {TypeError} when there is no secret, or one is shorter than 32 bytes
 * @example
 * const codec = compileCursorCodec([process.env.CURSOR_SECRET]);
 * const text = codec.encode({ direction: "after", keys: [42] }, { resource: "users" });
 * codec.decode(text, "after", { resource: "users" }).keys; // [42]
 */
export function compileCursorCodec(secrets: readonly (string | Uint8Array)[]): CursorCodec {
  if (!Array.isArray(secrets) || !secrets.every(isCursorSecret)) {
    throw new TypeError(
      `compileCursorCodec: secrets must be an array of strings or bytes of ${MIN_SECRET_LENGTH} bytes or more`,
    );
  }
  const keys = secrets.map(deriveKeys);
  const [sealingKeys] = keys;
  if (sealingKeys === undefined) throw new TypeError("compileCursorCodec: there must be a secret");

  return {
    encode({ direction, keys: values }, context) {
      assertKeys(values);
      const body = `${direction === "after" ? ">" : "<"}${JSON.stringify(values)}`;
      const text = seal(sealingKeys, formatContext(context), body).toString("base64url");
      if (text.length > MAX_CURSOR_LENGTH) throw new CursorError("length");
      return text;
    },

    decode(text, direction, context) {
      if (text.length > MAX_CURSOR_LENGTH) throw new CursorError("length");
      const bytes = Buffer.from(text, "base64url");
      // Buffer skips characters that are not base64url, and several texts decode to the same bytes
      if (bytes.length <= HEAD_LENGTH || bytes.toString("base64url") !== text) throw new CursorError("encoding");

      const contextText = formatContext(context);
      for (const { sealing } of keys) {
        const body = open(sealing, contextText, bytes);
        if (body !== undefined) return parseBody(body, direction);
      }
      throw new CursorError("signature");
    },
  };
}

interface CursorKeys {
  readonly sealing: KeyObject;
  readonly nonce: KeyObject;
}

function deriveKeys(secret: string | Uint8Array): CursorKeys {
  const derive = (info: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", info, MIN_SECRET_LENGTH)));
  return { sealing: derive(KEY_INFO), nonce: derive(`${KEY_INFO} nonce`) };
}

function seal({ sealing, nonce: nonceKey }: CursorKeys, context: string, body: string): Buffer {
  const nonce = createHmac("sha256", nonceKey).update(context).update(body).digest().subarray(0, NONCE_LENGTH);
  const cipher: CipherGCM = createCipheriv(CIPHER, sealing, nonce).setAAD(Buffer.from(context));
  const sealed = cipher.update(body, "utf8");
  cipher.final(); // adds no bytes: GCM is a stream cipher
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The body of the cursor in `bytes`, `undefined` when it doesn't open. */
function open(key: KeyObject, context: string, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_LENGTH), { authTagLength: TAG_LENGTH })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(NONCE_LENGTH, HEAD_LENGTH));
  const body = decipher.update(bytes.subarray(HEAD_LENGTH));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return body.toString();
}

function formatContext({ resource, org = null, filter = null, sort = null }: CursorContext): string {
  return JSON.stringify([resource, org, filter, sort]);
}

/** A sealed body was made by this code, so it needs no further checks. */
function parseBody(body: string, direction: CursorDirection): Cursor {
  if (!body.startsWith(direction === "after" ? ">" : "<")) throw new CursorError("direction");
  return { direction, keys: JSON.parse(body.slice(1)) as CursorKey[] };
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
