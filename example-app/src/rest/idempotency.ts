import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import type { Request, RequestHandler } from "express";
import { getPrincipal } from "etiquette/authenticate";
import { idempotency, type IdempotencyStore } from "etiquette/idempotency";
import { compactDecrypt, CompactEncrypt } from "jose";
import { noteFailure } from "../audit/request-observer.js";
import type { ApiSettings } from "../model/api-settings.js";
import { createIdempotencyStore } from "../store/records/idempotency-keys.js";
import type { Store } from "../store/store.js";
import { getTenant } from "../tenancy/tenant.js";

/** Separates the key from others that are derived from the same secret, RFC 5869 section 3.2. */
const KEY_INFO = "etiquette idempotency 1";

/** The length of a key of AES-256, in bytes. */
const KEY_LENGTH = 32;

/** In bytes. A record in a response is shorter; the result of an import may be longer, and is not kept. */
const MAX_RESPONSE_LENGTH = 65_536;

const HEADER = { alg: "dir", enc: "A256GCM" } as const;

/**
 * Carries a POST with `Idempotency-Key` out once in a day. Responses hold secrets, such as those of new API tokens. So they
 * are encrypted with the newest secret of the server, as JWE (RFC 7516).
 */
export function createIdempotency(store: Store, { secrets }: Pick<ApiSettings, "secrets">): RequestHandler {
  const [newest = ""] = secrets;
  const keys = { newest: deriveKey(newest), all: secrets.map(deriveKey) };

  return idempotency({
    methods: ["POST"],
    principal: (req) => getPrincipal(req).subject,
    store: (req: Request) => {
      const { id } = getTenant(req).org;
      return encrypted(createIdempotencyStore(store.forOrg(id), id), keys);
    },
    maxResponseLength: MAX_RESPONSE_LENGTH,
    log: noteFailure,
  });
}

interface Keys {
  readonly newest: KeyObject;
  readonly all: readonly KeyObject[];
}

function encrypted(store: IdempotencyStore, { newest, all }: Keys): IdempotencyStore {
  return {
    async add(key, value, lifetime) {
      const known = await store.add(key, await encrypt(value, newest), lifetime);
      return known === undefined ? undefined : decrypt(known, all);
    },
    set: async (key, value, lifetime) => store.set(key, await encrypt(value, newest), lifetime),
    delete: (key) => store.delete(key),
  };
}

function deriveKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", KEY_INFO, KEY_LENGTH)));
}

function encrypt(value: string, key: KeyObject): Promise<string> {
  return new CompactEncrypt(Buffer.from(value)).setProtectedHeader(HEADER).encrypt(key);
}

/** @throws {AggregateError} when the secret that encrypted the value is no longer one of the server's */
async function decrypt(value: string, keys: readonly KeyObject[]): Promise<string> {
  const { plaintext } = await Promise.any(keys.map((key) => compactDecrypt(value, key)));
  return Buffer.from(plaintext).toString();
}
