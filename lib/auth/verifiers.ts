import type { Request } from "express";
import { optionError } from "../factory/index.js";
import { isScheme } from "./credentials.js";
import type { Verdict } from "./principal.js";

const FACTORY = "authenticate";

/**
 * A function that checks `credentials`, the token68 (RFC 9110 section 11.2) after the scheme, at most 8,192 characters. It
 * returns or promises the principal, or nothing when the credentials are not valid for any reason. It throws or rejects
 * when it can't check them.
 */
export interface CredentialsVerifier {
  (credentials: string, req: Request): Verdict | Promise<Verdict>;
  /** The algorithms of proofs, which challenges name. Copy them from `jwtVerifier({ dpop })` to a function around it. */
  readonly proofAlgorithms?: readonly string[] | undefined;
}

/**
 * The option `schemes` of `authenticate`.
 *
 * @throws {TypeError} when it is something else than one verifier or more, each under a name of its own
 */
export function verifiersOption(value: unknown): [string, CredentialsVerifier][] {
  const verifiers = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const names = new Set(verifiers.map(([name]) => name.toLowerCase()));
  const valid = verifiers.every(([name, verify]) => isScheme(name) && typeof verify === "function");
  if (!valid || names.size === 0 || names.size < verifiers.length) {
    throw optionError(
      FACTORY,
      "schemes",
      "an object with a verifier for each scheme, in one spelling: { Bearer: (token, req) => principal }",
    );
  }
  for (const [name, { proofAlgorithms = [] }] of verifiers as [string, CredentialsVerifier][]) {
    if (!Array.isArray(proofAlgorithms) || !proofAlgorithms.every((text) => typeof text === "string" && isScheme(text)))
      throw optionError(FACTORY, `schemes.${name}.proofAlgorithms`, "an array of names of algorithms");
  }
  return verifiers as [string, CredentialsVerifier][];
}
