import type { Request } from "express";
import type * as Jose from "jose";
import {
  assertKnownOptions,
  functionOption,
  integerOption,
  type NothingElse,
  optionError,
  stringsOption,
} from "../factory/index.js";
import { parseUrl } from "../net/index.js";
import type { Principal } from "./principal.js";
import { dpopOption, thumbprintOf } from "./dpop.js";
import type { DpopOptions } from "./dpop-options.js";
import { type PerRequest, perRequestOption } from "./per-request.js";
import { normalizeType, typeOf } from "./jwt-type.js";
import { remoteKeys } from "./remote-keys.js";
import { parseScopes } from "./scopes.js";

export type { DpopOptions } from "./dpop-options.js";
export type { DpopReplayStore } from "./dpop-replays.js";
export type { PerRequest } from "./per-request.js";

const FACTORY = "jwtVerifier";

/** Only algorithms with a private key. `none` needs no key, and `HS256` would accept a public key as its secret. */
const ASYMMETRIC_ALGORITHMS: readonly string[] = [
  "ES256",
  "ES384",
  "ES512",
  "Ed25519",
  "EdDSA",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
];

const DEFAULT_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];

/** Access tokens, RFC 9068 section 2.1. */
const DEFAULT_TYPE = "at+jwt";

/** The claim of tokens that are bound to a key (RFC 7800 section 3). */
const CONFIRMATION = "cnf";

/** RFC 9449 section 7.1: a token that is bound comes with this scheme. */
const DPOP_SCHEME_REGEXP = /^dpop /i;

/** The claim of security events such as logout tokens (RFC 8417 section 2.2). */
const EVENTS = "events";

/** The codes of jose's errors that mean a bad token, not a problem with the keys or their server. */
const TOKEN_FAULTS: ReadonlySet<unknown> = new Set([
  "ERR_JOSE_ALG_NOT_ALLOWED",
  "ERR_JOSE_NOT_SUPPORTED",
  "ERR_JWKS_MULTIPLE_MATCHING_KEYS",
  "ERR_JWKS_NO_MATCHING_KEY",
  "ERR_JWS_INVALID",
  "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
  "ERR_JWT_CLAIM_VALIDATION_FAILED",
  "ERR_JWT_EXPIRED",
  "ERR_JWT_INVALID",
]);

/** How many imported key sets are kept, one for each issuer in use. A full cache is cleared. */
const MAX_KEY_SETS = 1000;

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** A JSON Web Key Set, RFC 7517 section 5. */
export interface JsonWebKeySet {
  /** JSON Web Keys, RFC 7517 section 4. */
  readonly keys: readonly object[];
}

/** A key set, or its URL: https, or http for a loopback host. */
export type KeySource = JsonWebKeySet | string;

export interface JwtVerifierOptions {
  /** The issuer: exactly the `iss` claim of the tokens. */
  issuer: PerRequest<string>;

  /** The audience, or several: the `aud` claim must name at least one of them. */
  audience: PerRequest<string | readonly string[]>;

  /**
   * The public keys of the issuer. Keys from a URL are cached for ten minutes, and fetched again for an unknown key id, at
   * most every thirty seconds; after a failure there is a pause. A function should return the same object for the same
   * keys: up to 1,000 key sets are cached by identity.
   */
  keys: PerRequest<KeySource>;

  /**
   * The signature algorithms to accept. They must be asymmetric.
   *
   * @default ["RS256", "PS256", "ES256", "EdDSA"]
   */
  algorithms?: readonly string[];

  /**
   * How many seconds the clocks of issuer and server may differ, 0–300.
   *
   * @default 30
   */
  clockTolerance?: number;

  /**
   * The types of token to accept, one or several: the `typ` of the header must be one of them, in any case, with or without
   * `application/`. `"JWT"` also accepts tokens without `typ`; the issuer may sign others than access tokens so.
   *
   * @default "at+jwt", of RFC 9068
   */
  typ?: PerRequest<string | readonly string[]>;

  /**
   * Takes tokens that are bound to a key of the client (DPoP, RFC 9449), and no others: the request must have a proof. Put
   * this verifier under the scheme `DPoP`.
   *
   * @default bound tokens are refused
   */
  dpop?: Readonly<DpopOptions>;

  /**
   * The current time, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: () => number;
}

/** A verifier for `authenticate`. */
export interface JwtVerifier {
  (token: string, req: Request): Promise<Principal | undefined>;
  /** The algorithms of proofs, which challenges name; of a verifier with `dpop` only. */
  readonly proofAlgorithms?: readonly string[];
}

const OPTIONS: Record<keyof JwtVerifierOptions, true> = {
  issuer: true,
  audience: true,
  keys: true,
  algorithms: true,
  clockTolerance: true,
  typ: true,
  dpop: true,
  now: true,
};

/**
 * Create a verifier of JWT access tokens (RFC 9068) for `authenticate`. It needs the package jose. It checks signature,
 * issuer, audience, expiry and type. The principal has the subject, the scopes of `scp` or `scope`, and the claims.
 * Refuses tokens that are bound to a key (`cnf`), but those that `dpop` takes. Does not check whether a token was revoked.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 * @example
 * const issuer = "https://id.example.com";
 * const Bearer = jwtVerifier({ issuer, audience: "https://api.example.com", keys: `${issuer}/jwks` });
 * app.use(authenticate({ schemes: { Bearer } }));
 */
export function jwtVerifier(options: Readonly<JwtVerifierOptions>, ..._: NothingElse): JwtVerifier {
  const { issuerOf, audienceOf, keysOf, typesOf, checks, dpop, now } = parseOptions(options);
  const selectKeySet = createKeySetCache(now);
  let jose: Promise<typeof Jose> | undefined; // imported for the first token, so that jose stays optional

  return dpop ? Object.assign(verifyJwt, { proofAlgorithms: dpop.algorithms }) : verifyJwt;

  async function verifyJwt(token: string, req: Request): Promise<Principal | undefined> {
    const library = await (jose ??= importJose());
    const [issuer, audience, keys, types] = await Promise.all([
      issuerOf(req),
      audienceOf(req),
      keysOf(req),
      typesOf(req),
    ]);
    try {
      const { payload, protectedHeader } = await library.jwtVerify(token, selectKeySet(keys, library), {
        ...checks,
        issuer,
        audience: [audience].flat(),
        currentDate: new Date(now()),
      });
      if (![types].flat().map(normalizeType).includes(typeOf(protectedHeader))) return undefined;
      if (Object.hasOwn(payload, EVENTS)) return undefined;
      const { sub, scp, scope } = payload;
      if (typeof sub !== "string" || sub === "") return undefined;
      if (!(await isBound(payload, token, req, library))) return undefined;
      return { subject: sub, scopes: parseScopes(scp ?? scope), claims: payload };
    } catch (error) {
      if (TOKEN_FAULTS.has((error as { code?: unknown }).code)) return undefined;
      throw error;
    }
  }

  /** Whether the token is bound as it must be: not at all without `dpop`, and to the key of the proof with it. */
  async function isBound(
    payload: Jose.JWTPayload,
    token: string,
    req: Request,
    library: typeof Jose,
  ): Promise<boolean> {
    if (dpop === undefined) return !Object.hasOwn(payload, CONFIRMATION);
    const confirmation = thumbprintOf(payload[CONFIRMATION]);
    if (confirmation === undefined || !DPOP_SCHEME_REGEXP.test(req.headers.authorization ?? "")) return false;
    await dpop.verify(req, { token, confirmation }, library);
    return true;
  }
}

/** Bundlers leave an import that may fail as it is when the package is not installed, and bundle it when it is. */
async function importJose(): Promise<typeof Jose> {
  try {
    return await import("jose");
  } catch (cause) {
    throw new Error("jwtVerifier: the package jose can't be loaded; is it installed?", { cause });
  }
}

function createKeySetCache(now: () => number): (keys: KeySource, library: typeof Jose) => Jose.JWTVerifyGetKey {
  const keySets = new Map<KeySource, Jose.JWTVerifyGetKey>();

  return function selectKeySet(keys, library) {
    const known = keySets.get(keys);
    if (known) return known;

    const keySet =
      typeof keys === "string" ? remoteKeys(keys, library, now) : library.createLocalJWKSet({ keys: [...keys.keys] });
    if (keySets.size === MAX_KEY_SETS) keySets.clear();
    keySets.set(keys, keySet);
    return keySet;
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isTextOrTexts(value: unknown): value is string | readonly string[] {
  return isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText));
}

function isKeySource(value: unknown): value is KeySource {
  if (typeof value === "string") return isKeySetUrl(value);
  const keys = (value as Partial<JsonWebKeySet> | null | undefined)?.keys;
  return Array.isArray(keys) && keys.every((key) => typeof key === "object" && key !== null);
}

function isKeySetUrl(value: string): boolean {
  const { protocol, hostname = "" } = parseUrl(value) ?? {};
  return protocol === "https:" || (protocol === "http:" && LOOPBACK_HOSTS.has(hostname));
}

function parseOptions(options: Readonly<JwtVerifierOptions>) {
  assertKnownOptions(FACTORY, options, OPTIONS, "authenticate({ schemes: { Bearer: jwtVerifier({ … }) } })");
  const algorithms = stringsOption(FACTORY, "algorithms", options.algorithms, DEFAULT_ALGORITHMS);
  if (algorithms.length === 0 || !algorithms.every((algorithm) => ASYMMETRIC_ALGORITHMS.includes(algorithm))) {
    throw optionError(FACTORY, "algorithms", `a non-empty array of ${ASYMMETRIC_ALGORITHMS.join(", ")}`);
  }
  const bounds = { fallback: 30, min: 0, max: 300 };
  const { typ = DEFAULT_TYPE } = options;
  const clockTolerance = integerOption(FACTORY, "clockTolerance", options.clockTolerance, bounds);
  const now = functionOption(FACTORY, "now", options.now, Date.now);
  return {
    issuerOf: perRequestOption(FACTORY, "issuer", options.issuer, isText, "a non-empty string"),
    audienceOf: perRequestOption(
      FACTORY,
      "audience",
      options.audience,
      isTextOrTexts,
      "a non-empty string or array of these",
    ),
    keysOf: perRequestOption(
      FACTORY,
      "keys",
      options.keys,
      isKeySource,
      "a JSON Web Key Set or the URL of one (https, or http on a loopback host)",
    ),
    typesOf: perRequestOption(FACTORY, "typ", typ, isTextOrTexts, "a non-empty string or array of these"),
    checks: {
      algorithms: [...algorithms],
      clockTolerance,
      requiredClaims: ["exp"],
    },
    dpop:
      options.dpop === undefined
        ? undefined
        : dpopOption(options.dpop, { clockTolerance, now, known: ASYMMETRIC_ALGORITHMS }),
    now,
  };
}
