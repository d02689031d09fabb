import { createHash } from "node:crypto";
import type { Request } from "express";
import type * as Jose from "jose";
import { fieldLines, targetPath } from "../http/index.js";
import { parseUrl } from "../net/index.js";
import { DpopFault } from "./dpop-fault.js";
import { type DpopOptions, parseDpopOptions } from "./dpop-options.js";

/** In characters. A proof with an RSA key of 4,096 bits has about 1,900. */
const MAX_PROOF_LENGTH = 4_096;

/** In characters, of the claim `jti`. */
const MAX_ID_LENGTH = 256;

export interface DpopChecks {
  readonly algorithms: readonly string[];
  /** Check the proof of a request with `token`, whose claim `cnf` is given. Rejects with a {@link DpopFault} when it is refused. */
  readonly verify: (
    req: Request,
    bound: { readonly token: string; readonly confirmation: unknown },
    library: typeof Jose,
  ) => Promise<void>;
}

/** What all checks of one verifier know. */
interface Shared {
  readonly clockTolerance: number;
  readonly now: () => number;
  readonly known: readonly string[];
}

/** Compile the option `dpop` of `jwtVerifier`. */
export function dpopOption(options: Readonly<DpopOptions>, { clockTolerance, now, known }: Shared): DpopChecks {
  const { baseUrlOf, proofLifetime, algorithms, nonces, replays } = parseDpopOptions(options, known, now);
  return { algorithms, verify };

  async function verify(
    req: Request,
    { token, confirmation }: { readonly token: string; readonly confirmation: unknown },
    library: typeof Jose,
  ): Promise<void> {
    const lines = fieldLines(req.rawHeaders, "DPoP");
    const [proof = ""] = lines;
    if (lines.length !== 1)
      throw refuse(lines.length === 0 ? "DPoP is missing." : "DPoP comes more than once; send one.");
    if (proof.length > MAX_PROOF_LENGTH) throw refuse(`DPoP is longer than ${MAX_PROOF_LENGTH} characters.`);

    const { claims, thumbprint } = await verifyProof(proof, library);
    if (thumbprint !== confirmation) throw refuse("The token is bound to another key than that of the proof.");
    const fault = findClaimFault(claims, { method: req.method, url: await urlOf(req), token });
    if (fault !== undefined) throw refuse(fault);
    checkNonce(claims["nonce"], req);
    const expires = (Number(claims["iat"]) + proofLifetime + clockTolerance) * 1_000;
    const isNew = await replays.remember(hashOf(`${thumbprint} ${String(claims["jti"])}`), expires);
    if (!isNew) throw refuse("The proof was used before; make one for each request.");
  }

  async function verifyProof(proof: string, library: typeof Jose) {
    try {
      const { payload: claims, protectedHeader } = await library.jwtVerify(proof, library.EmbeddedJWK, {
        typ: "dpop+jwt",
        algorithms: [...algorithms],
        maxTokenAge: proofLifetime,
        clockTolerance,
        currentDate: new Date(now()),
      });
      const thumbprint = await library.calculateJwkThumbprint(protectedHeader.jwk ?? {}, "sha256");
      return { claims: claims as Readonly<Record<string, unknown>>, thumbprint };
    } catch {
      // whatever jose or the system's cryptography has against it came from the client
      const cause = `The proof is not valid: it may be old, malformed, signed by another key than its own, or in an algorithm other than ${algorithms.join(", ")}.`;
      throw refuse(cause);
    }
  }

  async function urlOf(req: Request): Promise<string> {
    return (await baseUrlOf(req)) + targetPath(req.originalUrl);
  }

  function checkNonce(nonce: unknown, req: Request): void {
    if (nonces === undefined) return;
    const verdict = typeof nonce === "string" ? nonces.judge(nonce) : "unknown";
    if (verdict === "unknown") {
      throw new DpopFault("use_dpop_nonce", "The proof needs the nonce of the field DPoP-Nonce.", nonces.current());
    }
    if (verdict === "previous") req.res?.setHeader("DPoP-Nonce", nonces.current());
  }
}

function refuse(cause: string): DpopFault {
  return new DpopFault("invalid_dpop_proof", cause);
}

/** RFC 9449 section 4.3, what jose has not checked. */
function findClaimFault(
  { jti, htm, htu, ath }: Readonly<Record<string, unknown>>,
  { method, url, token }: Readonly<{ method: string; url: string; token: string }>,
): string | undefined {
  if (typeof jti !== "string" || jti === "" || jti.length > MAX_ID_LENGTH) {
    return `The claim jti must be a text of 1 to ${MAX_ID_LENGTH} characters.`;
  }
  if (htm !== method) return "The claim htm is not the method of this request.";
  if (typeof htu !== "string" || normalizeUrl(htu) !== normalizeUrl(url)) {
    return "The claim htu is not the URL of this request.";
  }
  return ath === hashOf(token) ? undefined : "The claim ath is not the hash of the token.";
}

/** RFC 3986 sections 6.2.2 and 6.2.3, without query and fragment; `undefined` for what is no URL. */
function normalizeUrl(text: string): string | undefined {
  const url = parseUrl(text);
  if (url?.username !== "" || url.password !== "") return undefined;
  return url.origin + url.pathname.replace(/%[0-9a-f]{2}/gi, normalizeEscape);
}

function normalizeEscape(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** The thumbprint of the key that a token is bound to, from its claim `cnf`; `undefined` when it is bound otherwise or not at all. */
export function thumbprintOf(confirmation: unknown): string | undefined {
  if (typeof confirmation !== "object" || confirmation === null) return undefined;
  const { jkt, ...others } = confirmation as { readonly jkt?: unknown };
  return typeof jkt === "string" && Object.keys(others).length === 0 ? jkt : undefined;
}
