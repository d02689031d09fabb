import { LRUCache } from "lru-cache";
import type { DpopOptions, DpopReplayStore } from "etiquette/jwt-verifier";
import type { SharedCounter } from "../store/contract/counter.js";
import { getTenant } from "../tenancy/tenant.js";

/** The signature algorithms of proofs, which challenges and metadata name. */
export const PROOF_ALGORITHMS = ["ES256", "EdDSA", "Ed25519", "PS256", "RS256"];

/**
 * Proofs that one process remembers, in entries of about 200 bytes. When another comes, the oldest is forgotten; the rate
 * limits stop an org long before.
 */
const MAX_PROOFS = 100_000;

/**
 * What the proofs must be like with which an org's clients use tokens that are bound to a key (RFC 9449). Each counts once.
 *
 * @param shared what all processes count in; without it this process is the only one
 */
export function createProofRules(shared: Pick<SharedCounter, "add"> | undefined): (orgId: string) => DpopOptions {
  const remember = shared ? rememberTogether(shared) : rememberAlone();
  return (orgId) => ({
    baseUrl: (req) => getTenant(req).baseUrl,
    proofAlgorithms: PROOF_ALGORITHMS,
    replays: { remember: (key, expires) => remember(`proof ${orgId} ${key}`, Math.max(1, expires - Date.now())) },
  });
}

/** Whether a proof is new, and from now on known for so many milliseconds. */
type Remember = (proof: string, lifetime: number) => ReturnType<DpopReplayStore["remember"]>;

function rememberTogether(shared: Pick<SharedCounter, "add">): Remember {
  return async (proof, lifetime) => (await shared.add(proof, 1, lifetime)).consumedPoints === 1;
}

function rememberAlone(): Remember {
  let used: LRUCache<string, true> | undefined; // takes megabytes at once
  return (proof, ttl) => {
    used ??= new LRUCache({ max: MAX_PROOFS });
    if (used.has(proof)) return false;
    used.set(proof, true, { ttl });
    return true;
  };
}
