import type { Request } from "express";
import {
  DEFAULT_REALM,
  findScopeFault,
  formatChallenge,
  isRealm,
  isScheme,
  metadataUrlOption,
  type Principal,
  type ScopeChallenge,
  scopesOption,
} from "../lib/auth/index.js";
import { apiError, type ApiError } from "../lib/errors/index.js";
import {
  assertKnownOptions,
  type Middleware,
  optionError,
  stringOption,
  type NothingElse,
} from "../lib/factory/index.js";

export interface RequireScopesOptions {
  /** The scopes that the operation needs, all of them. At least one. */
  scopes: readonly string[];

  /** Returns the principal of the request, or nothing when it is anonymous: `tryGetPrincipal` of `authenticate`. */
  getPrincipal: (req: Request) => Pick<Principal, "scopes"> | undefined;

  /**
   * The scheme of the challenge: that of the tokens that can have these scopes.
   *
   * @default "Bearer"
   */
  scheme?: string;

  /**
   * The realm of the challenge; printable ASCII.
   *
   * @default "api"
   */
  realm?: string;

  /**
   * The identifier of the API as a protected resource (RFC 9728), the same as in `authenticate`.
   *
   * @default no metadata
   */
  resource?: string | ((req: Request) => string);
}

const OPTIONS: Record<keyof RequireScopesOptions, true> = {
  scopes: true,
  getPrincipal: true,
  scheme: true,
  realm: true,
  resource: true,
};

/**
 * Let a request pass only when its principal has all scopes that the operation needs. Scopes must match exactly; no scope
 * implies another. Does not read credentials.
 *
 * @throws {TypeError} when an option is unknown, missing or of the wrong type
 * @example
 * const canWrite = requireScopes({ scopes: ["users.manage"], getPrincipal: tryGetPrincipal });
 * app.post("/users", canWrite, createUser);
 */
export function requireScopes(options: Readonly<RequireScopesOptions>, ..._: NothingElse): Middleware {
  const { challenge, getPrincipal } = parseOptions(options);

  return function requireScopesMiddleware(req, _res, next) {
    const principal = getPrincipal(req);
    if (!principal) {
      next(anonymousError(challenge, req));
      return;
    }
    const scopes: unknown = principal.scopes; // in a string, `includes` would match a part of a scope
    if (!Array.isArray(scopes)) {
      next(new TypeError("requireScopes: `getPrincipal` must return { scopes }, or nothing"));
      return;
    }
    const fault = findScopeFault(scopes, challenge, req);
    if (fault) next(apiError("E0000006", fault));
    else next();
  };
}

function anonymousError({ scheme, realm, scopes, metadataUrlOf }: ScopeChallenge<Request>, req: Request): ApiError {
  const causes = [`Authorization is missing; the operation needs the scope ${scopes.join(", ")}.`];
  const headers = { "WWW-Authenticate": formatChallenge(scheme, { realm, scopes, metadata: metadataUrlOf(req) }) };
  return apiError("E0000011", { type: "credentials.missing", causes, headers });
}

function parseOptions(options: Readonly<RequireScopesOptions>) {
  assertKnownOptions("requireScopes", options, OPTIONS, "app.use(requireScopes({ … }))");
  const { getPrincipal } = options;
  if (typeof getPrincipal !== "function") throw optionError("requireScopes", "getPrincipal", "a function");
  const scopes = scopesOption("requireScopes", "scopes", options.scopes);
  if (scopes.length === 0) throw optionError("requireScopes", "scopes", "a non-empty array of scopes");
  const scheme = stringOption("requireScopes", "scheme", options.scheme, "Bearer");
  if (!isScheme(scheme)) throw optionError("requireScopes", "scheme", "the name of an authentication scheme");
  const realm = stringOption("requireScopes", "realm", options.realm, DEFAULT_REALM);
  if (!isRealm(realm)) throw optionError("requireScopes", "realm", "printable ASCII");
  const metadataUrlOf = metadataUrlOption("requireScopes", options.resource);
  const challenge: ScopeChallenge<Request> = { scheme, realm, scopes, metadataUrlOf };
  return { challenge, getPrincipal };
}
