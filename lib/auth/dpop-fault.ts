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
