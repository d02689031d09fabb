/** Errors of RFC 9449 section 7.1: the proof is wrong, or lacks a nonce of this server. */
type DpopError = "invalid_dpop_proof" | "use_dpop_nonce";

/** Why a verifier refuses a proof. It throws this, and `authenticate` sends it. */
export class DpopFault extends Error {
  /**
   * @param message a sentence for the client
   * @param nonce for the field `DPoP-Nonce`
   */
  constructor(
    readonly error: DpopError,
    message: string,
    readonly nonce?: string,
  ) {
    super(message);
  }
}

const ALGORITHMS: unique symbol = Symbol("etiquette.dpopAlgorithms");

/** Let challenges name the algorithms that `verifier` accepts for proofs. */
export function withDpopAlgorithms<V extends object>(verifier: V, algorithms: readonly string[]): V {
  return Object.defineProperty(verifier, ALGORITHMS, { value: algorithms });
}

/** The algorithms of {@link withDpopAlgorithms}; empty for other verifiers. */
export function dpopAlgorithmsOf(verifier: object): readonly string[] {
  return (verifier as { readonly [ALGORITHMS]?: readonly string[] })[ALGORITHMS] ?? [];
}
