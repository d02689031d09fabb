import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from "node:crypto";

const CIPHER = "aes-256-gcm";

/** In bytes. */
const KEY_LENGTH = 32;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/** Encrypts what lies on the disk with the newest secret of the server. */
export interface Sealer {
  /** @param context where it belongs: {@link open} needs the same */
  readonly seal: (content: string, context: string) => Buffer;
  /** The content; `undefined` when it is damaged, belongs elsewhere, or has none of the secrets. */
  readonly open: (sealed: Uint8Array, context: string) => string | undefined;
}

/**
 * @param secrets newest first
 * @param info separates the keys from others that are derived from the same secrets, RFC 5869 section 3.2
 */
export function createSealer([newest = "", ...older]: readonly string[], info: string): Sealer {
  const key = deriveKey(newest, info);
  const keys = [key, ...older.map((secret) => deriveKey(secret, info))];

  return {
    seal(content, context) {
      const nonce = randomBytes(NONCE_LENGTH);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
      const text = [cipher.update(content, "utf8"), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...text]);
    },
    open(sealed, context) {
      for (const each of keys) {
        const content = openWith(each, sealed, context);
        if (content !== undefined) return content;
      }
      return undefined;
    },
  };
}

function openWith(key: KeyObject, sealed: Uint8Array, context: string): string | undefined {
  const tag = sealed.subarray(NONCE_LENGTH, NONCE_LENGTH + TAG_LENGTH);
  if (tag.length < TAG_LENGTH) return undefined;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_LENGTH), { authTagLength: TAG_LENGTH });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  const content = decipher.update(sealed.subarray(NONCE_LENGTH + TAG_LENGTH));
  try {
    return Buffer.concat([content, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

function deriveKey(secret: string, info: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", info, KEY_LENGTH)));
}
