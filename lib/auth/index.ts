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
export { compileChallenges, type Challenges } from "./challenges.js";
export {
  DEFAULT_REALM,
  formatChallenge,
  isRealm,
  isScheme,
  MAX_CREDENTIALS_LENGTH,
  parseCredentials,
} from "./credentials.js";
export { DpopFault } from "./dpop-fault.js";
export {
  type DpopOptions,
  type DpopReplayStore,
  type JsonWebKeySet,
  jwtVerifier,
  type JwtVerifier,
  type JwtVerifierOptions,
  type KeySource,
  type PerRequest,
} from "./jwt-verifier.js";
export { isPrincipal, type Principal, type Verdict } from "./principal.js";
export { METADATA_PATH, metadataUrlOption, resourceOption } from "./resource-url.js";
export { findScopeFault, type ScopeChallenge, scopesOption } from "./scopes.js";
export { type CredentialsVerifier, verifiersOption } from "./verifiers.js";
