export {
  type ApiTokenRecord,
  apiTokenVerifier,
  type ApiTokenVerifierOptions,
  createApiToken,
  type CreateApiTokenOptions,
  hashApiToken,
  isApiToken,
  type NewApiToken,
} from "./api-token-verifier.js";
export {
  DEFAULT_REALM,
  formatChallenge,
  isRealm,
  isScheme,
  MAX_CREDENTIALS_LENGTH,
  parseCredentials,
} from "./credentials.js";
export {
  type JsonWebKeySet,
  jwtVerifier,
  type JwtVerifierOptions,
  type KeySource,
  type PerRequest,
} from "./jwt-verifier.js";
export { isPrincipal, type Principal, type Verdict } from "./principal.js";
export { findScopeFault, type ScopeChallenge, scopesOption } from "./scopes.js";
