import type { NextFunction, Request, Response } from "express";
import {
  type Challenges,
  compileChallenges,
  type CredentialsVerifier,
  DEFAULT_REALM,
  DpopFault,
  findScopeFault,
  isPrincipal,
  isRealm,
  MAX_CREDENTIALS_LENGTH,
  metadataUrlOption,
  parseCredentials,
  type Principal,
  scopesOption,
  type Verdict,
  verifiersOption,
} from "../lib/auth/index.js";
import { apiError, type ApiError } from "../lib/errors/index.js";
import { fieldLines } from "../lib/http/index.js";
import {
  assertKnownOptions,
  booleanOption,
  createRequestSlot,
  type Middleware,
  optionError,
  stringOption,
  type NothingElse,
} from "../lib/factory/index.js";

export type { CredentialsVerifier, Principal } from "../lib/auth/index.js";

const slot = createRequestSlot<Principal>("authenticate", "the request is anonymous; use tryGetPrincipal()");

export interface AuthenticateOptions {
  /**
   * The verifier of each accepted scheme: `{ Bearer: jwtVerifier({ … }), SVC: apiTokenVerifier({ … }) }`. At least one.
   * A 401 lists the challenges in this order.
   */
  schemes: Readonly<Record<string, CredentialsVerifier>>;

  /**
   * Finds the principal of a request without `Authorization`, such as that of a session cookie. Returns or promises
   * `undefined` for a request without a session, and `null` for a session that is not valid, which is refused. Other sites
   * can make a browser send cookies: refuse their requests before.
   *
   * @default undefined
   */
  session?: ((req: Request) => Verdict | Promise<Verdict>) | undefined;

  /**
   * The scopes that every request needs, all of them. Use `requireScopes` for the scopes of single operations.
   *
   * @default []
   */
  scopes?: readonly string[];

  /**
   * The realm of the challenges; printable ASCII.
   *
   * @default "api"
   */
  realm?: string;

  /**
   * The identifier of the API as a protected resource (RFC 9728), an absolute https URL without query: challenges of
   * `Bearer` and `DPoP` then have the URL of its metadata, which `resourceMetadata()` serves. A function for one of each org.
   *
   * @default no metadata
   */
  resource?: string | ((req: Request) => string);

  /**
   * Whether a request without `Authorization` passes as anonymous. Invalid credentials are still refused. If true, every
   * response has `Vary: Authorization`.
   *
   * @default false
   */
  optional?: boolean;
}

const OPTIONS: Record<keyof AuthenticateOptions, true> = {
  schemes: true,
  session: true,
  scopes: true,
  realm: true,
  resource: true,
  optional: true,
};

interface Scheme {
  /** The name as configured. */
  readonly name: string;
  readonly verify: CredentialsVerifier;
}

/**
 * Let a request pass only with valid credentials in one `Authorization` header. The verifier of the scheme checks them.
 * Read the principal with {@link getPrincipal}. Never repeats credentials in a response. Does not read tokens from the
 * query or the body, and cookies only with your function `session`.
 *
 * @throws {TypeError} when an option is unknown, missing or of the wrong type
 * @example
 * app.use(authenticate({ schemes: { SVC: apiTokenVerifier({ find }) } }));
 * app.get("/me", (req, res) => res.json(getPrincipal(req).subject));
 */
// eslint-disable-next-line max-lines-per-function -- the verdicts on tokens and sessions share the options
export function authenticate(options: Readonly<AuthenticateOptions>, ..._: NothingElse): Middleware {
  const { schemes, firstScheme, session, accepted, challenges, scopes, realm, metadataUrlOf, optional } =
    parseOptions(options);

  return function authenticateMiddleware(req, res, next) {
    if (optional) res.vary("Authorization");
    const lines = fieldLines(req.rawHeaders, "Authorization");
    const [line] = lines;
    if (line === undefined) {
      if (session)
        void admit(
          () => session(req),
          (verdict) => judgeSession(verdict, req),
          { res, next },
        );
      else next(judgeAnonymous(req));
      return;
    }
    if (lines.length > 1) {
      next(refusal("ambiguous", "Authorization comes more than once; send one.", challenges(req)));
      return;
    }

    const { scheme: name = "", token } = parseCredentials(line) ?? {};
    const scheme = schemes.get(name);
    if (!scheme) {
      next(
        refusal("unsupported", `Authorization does not begin with an accepted scheme; ${accepted}.`, challenges(req)),
      );
    } else if (token === undefined) {
      const cause = `Authorization must be ${scheme.name}, a space, and one token of A-Z a-z 0-9 - . _ ~ + / and = at the end.`;
      next(refusal("malformed", cause, challenges(req, scheme.name)));
    } else if (token.length > MAX_CREDENTIALS_LENGTH) {
      const cause = `The token in Authorization is longer than ${MAX_CREDENTIALS_LENGTH} characters.`;
      next(refusal("malformed", cause, challenges(req, scheme.name)));
    } else {
      void admit(
        () => scheme.verify(token, req),
        (verdict) => judge(scheme.name, verdict, req),
        { res, next },
      );
    }
  };

  async function admit(
    verify: () => Verdict | Promise<Verdict>,
    decide: (verdict: unknown) => Error | undefined,
    { res, next }: { res: Response; next: NextFunction },
  ): Promise<void> {
    let verdict: unknown;
    try {
      verdict = await verify();
    } catch (error) {
      next(error instanceof DpopFault ? attempt(() => judgeProof(error, res.req)) : unavailable(error));
      return;
    }
    if (res.headersSent) return; // a time-out responded while the verifier was busy
    next(attempt(() => decide(verdict))); // `resource` may throw
  }

  function judgeAnonymous(req: Request): Error | undefined {
    if (!optional) return refusal("missing", `Authorization is missing; ${accepted}.`, challenges(req));
    slot.set(req, null);
    return undefined;
  }

  function judgeSession(verdict: unknown, req: Request): Error | undefined {
    if (verdict === undefined) return judgeAnonymous(req);
    if (verdict === null) return refusal("invalid", "The session is not valid: it may have ended.", challenges(req));
    return accept(verdict, req, { source: "sessions", scheme: firstScheme });
  }

  /** The error when the request is refused; `undefined` when it passes. */
  function judge(name: string, verdict: unknown, req: Request): Error | undefined {
    if (verdict === undefined || verdict === null) {
      const cause = `The ${name} token is not valid here: it may be unknown, expired, revoked, not allowed from this address, or meant for another service.`;
      return refusal("invalid", cause, challenges(req, name));
    }
    return accept(verdict, req, { source: name, scheme: name });
  }

  function judgeProof({ message, error, nonce }: DpopFault, req: Request): Error {
    const more = nonce === undefined ? {} : { "DPoP-Nonce": nonce };
    return refusal("invalid", message, challenges(req, schemes.get("dpop")?.name, error), more);
  }

  function accept(verdict: unknown, req: Request, { source, scheme }: { source: string; scheme: string }) {
    if (!isPrincipal(verdict)) {
      return new TypeError(`authenticate: the verifier of ${source} must return { subject, scopes }, or nothing`);
    }
    const fault = findScopeFault(verdict.scopes, { scheme, realm, scopes, metadataUrlOf }, req);
    if (fault) return apiError("E0000006", fault);
    slot.set(req, verdict);
    return undefined;
  }
}

/**
 * The principal of `req`, as {@link authenticate} stored it.
 *
 * @throws {Error} when `authenticate()` did not run for this request, or the request is anonymous
 * @example
 * getPrincipal(req).subject; // "00u1a2b3"
 */
export function getPrincipal(req: object): Principal {
  return slot.get(req);
}

/**
 * The principal of `req`, or `undefined` when the request is anonymous or {@link authenticate} did not run.
 *
 * @example
 * const isSignedIn = tryGetPrincipal(req) !== undefined;
 */
export function tryGetPrincipal(req: object): Principal | undefined {
  return slot.tryGet(req);
}

/** What `decide` returns or throws. */
function attempt(decide: () => unknown): unknown {
  try {
    return decide();
  } catch (error) {
    return error;
  }
}

type Reason = "missing" | "ambiguous" | "unsupported" | "malformed" | "invalid";

function refusal(reason: Reason, cause: string, challenges: string, more: Record<string, string> = {}): ApiError {
  const headers = { "WWW-Authenticate": challenges, ...more };
  return apiError("E0000011", { type: `credentials.${reason}`, causes: [cause], headers });
}

/** A 503 whatever the status of the failure: a 401 from an identity provider, say, is not about these credentials. */
function unavailable(cause: unknown): ApiError {
  return apiError("E0009011", { type: "credentials.unverifiable", cause });
}

function parseOptions(options: Readonly<AuthenticateOptions>) {
  assertKnownOptions("authenticate", options, OPTIONS, "app.use(authenticate({ … }))");
  const scopes = scopesOption("authenticate", "scopes", options.scopes);
  const realm = stringOption("authenticate", "realm", options.realm, DEFAULT_REALM);
  if (!isRealm(realm)) throw optionError("authenticate", "realm", "printable ASCII");
  const optional = booleanOption("authenticate", "optional", options.optional, false);
  if (optional && scopes.length > 0) {
    throw optionError("authenticate", "scopes", "empty when `optional` is true: an anonymous request has none");
  }

  const { session } = options;
  if (session !== undefined && typeof session !== "function") {
    throw optionError("authenticate", "session", "a function");
  }

  const verifiers = verifiersOption(options.schemes);
  const names = verifiers.map(([name]) => name);
  const challenged = verifiers.map(([name, verify]) => ({ name, algorithms: verify.proofAlgorithms ?? [] }));
  const metadataUrlOf = metadataUrlOption("authenticate", options.resource);
  const challenges: Challenges<Request> = compileChallenges(challenged, { realm, scopes, metadataUrlOf });
  return {
    schemes: new Map(verifiers.map(([name, verify]): [string, Scheme] => [name.toLowerCase(), { name, verify }])),
    firstScheme: names[0] ?? "",
    session,
    accepted: `accepted: ${names.join(", ")}`,
    challenges,
    metadataUrlOf,
    scopes,
    realm,
    optional,
  };
}
