import { type ChallengeParameters, formatChallenge } from "./credentials.js";

/** The schemes of OAuth, which the metadata of a resource is about. */
const OAUTH_SCHEMES: ReadonlySet<string> = new Set(["bearer", "dpop"]);

export interface ChallengesOptions<R> {
  readonly realm: string;
  readonly scopes: readonly string[];
  readonly metadataUrlOf: (req: R) => string | undefined;
}

/** A scheme in a challenge. */
interface ChallengedScheme {
  readonly name: string;
  /** The algorithms of proofs; empty for a scheme without. */
  readonly algorithms: readonly string[];
}

/** The challenges of a 401 for a request, and for the scheme whose credentials failed, if it was one of `schemes`. */
export type Challenges<R> = (req: R, failed?: string, error?: ChallengeParameters["error"]) => string;

/** Compile the challenges of `schemes`, in this order. */
export function compileChallenges<R>(
  schemes: readonly ChallengedScheme[],
  options: ChallengesOptions<R>,
): Challenges<R> {
  const { realm, scopes, metadataUrlOf } = options;
  return (req, failed, fault = "invalid_token") => {
    const url = metadataUrlOf(req);
    return schemes
      .map(({ name, algorithms }) => {
        // RFC 6750 section 3: no error code when the request had no credentials of a known scheme
        const error = name === failed ? fault : undefined;
        const metadata = OAUTH_SCHEMES.has(name.toLowerCase()) ? url : undefined;
        return formatChallenge(name, { realm, error, scopes, algorithms, metadata });
      })
      .join(", ");
  };
}
