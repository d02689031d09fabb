import { createHmac, createSecretKey, hkdfSync } from "node:crypto";

/** Separates the key from others that are derived from the same secret, RFC 5869 section 3.2. */
const KEY_INFO = "etiquette device fingerprint 1";

/** The length of the key of HMAC-SHA256, in bytes. */
const KEY_LENGTH = 32;

/** The length of a hash in characters of six bits. */
const HASH_LENGTH = 22;

/** The hash of a device's fingerprint in the log of an org. The logs of two orgs can't be compared. */
export type FingerprintHash = (orgId: string, fingerprint: string) => string;

/**
 * Hash fingerprints with a key of the newest secret, so that all nodes with this secret write the same hashes, and nobody
 * without it finds out the fingerprints.
 */
export function compileFingerprintHash([secret = ""]: readonly string[]): FingerprintHash {
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", KEY_INFO, KEY_LENGTH)));
  return (orgId, fingerprint) =>
    createHmac("sha256", key).update(`${orgId} ${fingerprint}`).digest("base64url").slice(0, HASH_LENGTH);
}
