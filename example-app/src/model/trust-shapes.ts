import { createPublicKey } from "node:crypto";
import { isOrigin } from "etiquette/origin";
import { z } from "zod";
import {
  ID_SHAPE,
  isSafeOrigin,
  isSafeUrl,
  LIMITS,
  line,
  list,
  NAME_SHAPE,
  record,
  SAFE_URL_SHAPE,
  STATUS_SHAPE,
} from "./shapes.js";

/** Whom an org trusts: the accepted values in an import file and in the API. */

/** Members of private and symmetric keys, RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1. */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** For RSA keys, in bits, RFC 7518 section 3.3. */
const MIN_MODULUS_LENGTH = 2_048;

const ORIGIN_SCOPES = ["CORS", "REDIRECT"] as const;

/** An origin whose pages may call the API, or to which users may return. */
export const TRUSTED_ORIGIN_SHAPE = record({
  id: ID_SHAPE,
  name: NAME_SHAPE,
  origin: z
    .string()
    .max(LIMITS.origin)
    .refine(isOrigin, {
      message: "must be an origin as browsers send it, such as https://app.example.com: no path, no default port",
      abort: true,
    })
    .refine(
      isSafeOrigin,
      "must be an https origin; http only for localhost, 127.0.0.1 and [::1], because others can change such pages on their way",
    ),
  scopes: list(record({ type: z.enum(ORIGIN_SCOPES) }), { min: 1, max: ORIGIN_SCOPES.length }).refine(
    (scopes) => new Set(scopes.map(({ type }) => type)).size === scopes.length,
    "must have each type once",
  ),
  status: STATUS_SHAPE,
});

/** The exact `iss` of tokens. It has no query and no fragment (RFC 8414 section 2). */
const issuerUrl = z
  .string()
  .max(LIMITS.text)
  .refine(
    (text) => isSafeUrl(text) && !text.includes("?"),
    "must be an https URL (http on the loopback) without user name, query, fragment and white space",
  );

/** The `typ` of a token: a media type, with or without `application/`. */
const TYPE_REGEXP = /^[A-Za-z0-9!#$&^_.+-]+(?:\/[A-Za-z0-9!#$&^_.+-]+)?$/;

const publicKey = z.record(z.string(), z.unknown()).superRefine((key, context) => {
  const message = keyFault(key);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

/** The `typ` of access tokens, unless the issuer has others (RFC 9068 section 2.1). */
export const TOKEN_TYPES: readonly string[] = ["at+jwt"];

/** An authorization server whose access tokens the org accepts: its public keys, or where to get them. */
export const ISSUER_SHAPE = record({
  id: ID_SHAPE,
  issuer: issuerUrl,
  audience: line(LIMITS.audience),
  keys: z.union([SAFE_URL_SHAPE, record({ keys: list(publicKey, { min: 1, max: LIMITS.keys }) })], {
    error: ({ input }) =>
      input === undefined
        ? "is required"
        : 'must be the URL of a key set (https, or http on the loopback), or { "keys": [ … ] } with public keys', // not what it is: it may be a secret
  }),
  types: z
    .array(z.string().max(LIMITS.tokenType).regex(TYPE_REGEXP, "must be a type such as at+jwt or JWT"))
    .min(1)
    .max(LIMITS.tokenTypes)
    .exactOptional(),
});

export type FileTrustedOrigin = z.infer<typeof TRUSTED_ORIGIN_SHAPE>;
export type FileIssuer = z.infer<typeof ISSUER_SHAPE>;

/** The reason why this is not a public key that can verify signatures, or `undefined`. */
function keyFault(key: Record<string, unknown>): string | undefined {
  const secret = PRIVATE_MEMBERS.find((member) => Object.hasOwn(key, member));
  if (secret !== undefined || key["kty"] === "oct") {
    return `must be a public key; ${secret === undefined ? "kty oct" : `the member ${secret}`} makes it a secret one`;
  }
  const { length } = JSON.stringify(key);
  if (length > LIMITS.key) return `is too long: ${length} characters; at most ${LIMITS.key} are allowed`;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: "jwk" });
    const { modulusLength = MIN_MODULUS_LENGTH } = asymmetricKeyDetails ?? {};
    return modulusLength < MIN_MODULUS_LENGTH
      ? `is an RSA key of ${modulusLength} bits; at least ${MIN_MODULUS_LENGTH} are needed`
      : undefined;
  } catch {
    return "must be a public JSON Web Key of the kty RSA, EC or OKP";
  }
}
