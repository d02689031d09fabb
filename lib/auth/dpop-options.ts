import type { Request } from "express";
import { assertKnownOptions, integerOption, optionError, stringsOption } from "../factory/index.js";
import { isBaseUrl } from "../net/index.js";
import { compileDpopNonces, type DpopNonces } from "./dpop-nonce.js";
import { memoryDpopReplays, type DpopReplayStore } from "./dpop-replays.js";
import { type PerRequest, perRequestOption } from "./per-request.js";

const FACTORY = "jwtVerifier";

const MIN_SECRET_LENGTH = 32;

const DEFAULT_ALGORITHMS = ["ES256", "EdDSA", "Ed25519", "PS256", "RS256"];

/** How a client proves that it has the key that a token is bound to (RFC 9449). */
export interface DpopOptions {
  /**
   * The start of the URLs of the API, such as `"https://api.example.com"`, as clients write them; the path of the request
   * follows. The claim `htu` must be that URL. It is not read from `Host`. Use a function when it depends on the org.
   */
  baseUrl: PerRequest<string>;

  /**
   * How many seconds after its `iat` a proof is accepted, 1–300. `clockTolerance` is added on both sides.
   *
   * @default 60
   */
  proofLifetime?: number;

  /**
   * The signature algorithms of proofs. They must be asymmetric.
   *
   * @default ["ES256", "EdDSA", "Ed25519", "PS256", "RS256"]
   */
  proofAlgorithms?: readonly string[];

  /**
   * Requires a nonce of this server in each proof, which the server sends as `DPoP-Nonce`. `secret` is 32 bytes or more, or
   * several of these, the same on every node: the first makes nonces, all are accepted.
   *
   * @default no nonce
   */
  nonce?: {
    readonly secret: string | Uint8Array | readonly (string | Uint8Array)[];
    /**
     * How many seconds a nonce is good at the longest, 2–86,400; at least half of it.
     *
     * @default 300
     */
    readonly lifetime?: number;
  };

  /**
   * Remembers the proofs that were used. With several nodes, give them a common one.
   *
   * @default the last 100,000 proofs in the memory of this process
   */
  replays?: DpopReplayStore;
}

const OPTIONS: Record<keyof DpopOptions, true> = {
  baseUrl: true,
  proofLifetime: true,
  proofAlgorithms: true,
  nonce: true,
  replays: true,
};

const NONCE_OPTIONS = { secret: true, lifetime: true } as const;

/** In entries of about 150 bytes. */
const MAX_REPLAYS = 100_000;

/** The option `dpop`, checked, with its defaults. */
interface ParsedDpopOptions {
  readonly baseUrlOf: (req: Request) => string | Promise<string>;
  readonly proofLifetime: number;
  readonly algorithms: readonly string[];
  readonly nonces: DpopNonces | undefined;
  readonly replays: DpopReplayStore;
}

/**
 * @param known the algorithms to choose from
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 */
export function parseDpopOptions(
  options: Readonly<DpopOptions>,
  known: readonly string[],
  now: () => number,
): ParsedDpopOptions {
  if (typeof options !== "object" || (options as unknown) === null) throw optionError(FACTORY, "dpop", "an object");
  assertKnownOptions(`${FACTORY}.dpop`, options, OPTIONS);
  const algorithms = stringsOption(FACTORY, "dpop.proofAlgorithms", options.proofAlgorithms, DEFAULT_ALGORITHMS);
  if (algorithms.length === 0 || !algorithms.every((algorithm) => known.includes(algorithm))) {
    throw optionError(FACTORY, "dpop.proofAlgorithms", `a non-empty array of ${known.join(", ")}`);
  }
  const { replays = memoryDpopReplays(MAX_REPLAYS, now) } = options;
  if (typeof (replays as Partial<DpopReplayStore> | null)?.remember !== "function") {
    throw optionError(FACTORY, "dpop.replays", "an object with a function `remember`");
  }
  return {
    baseUrlOf: perRequestOption(
      FACTORY,
      "dpop.baseUrl",
      options.baseUrl,
      (value): value is string => typeof value === "string" && isBaseUrl(value),
      "an absolute https URL (http only for localhost, 127.0.0.0/8 and [::1]) without trailing slash, query or fragment",
    ),
    proofLifetime: integerOption(FACTORY, "dpop.proofLifetime", options.proofLifetime, {
      fallback: 60,
      min: 1,
      max: 300,
    }),
    algorithms,
    nonces: options.nonce === undefined ? undefined : noncesOption(options.nonce, now),
    replays,
  };
}

function noncesOption(options: NonNullable<DpopOptions["nonce"]>, now: () => number) {
  if (typeof options !== "object" || (options as unknown) === null)
    throw optionError(FACTORY, "dpop.nonce", "an object");
  assertKnownOptions(`${FACTORY}.dpop.nonce`, options, NONCE_OPTIONS);
  const bounds = { fallback: 300, min: 2, max: 86_400 };
  const lifetime = integerOption(FACTORY, "dpop.nonce.lifetime", options.lifetime, bounds);
  const secrets = [options.secret].flat() as unknown[];
  if (secrets.length === 0 || !secrets.every(isSecret)) {
    throw optionError(
      FACTORY,
      "dpop.nonce.secret",
      `a string or bytes of ${MIN_SECRET_LENGTH} bytes or more, or several`,
    );
  }
  return compileDpopNonces(secrets, lifetime * 1_000, now);
}

function isSecret(value: unknown): value is string | Uint8Array {
  return (typeof value === "string" || value instanceof Uint8Array) && Buffer.byteLength(value) >= MIN_SECRET_LENGTH;
}
