export { suite, type Suite, type SuiteOptions } from "./suite.js";

export {
  apiTokenVerifier,
  createApiToken,
  hashApiToken,
  type ApiTokenRecord,
  type ApiTokenVerifierOptions,
  type NewApiToken,
} from "./middleware/api-token-verifier.js";
export {
  apiVersion,
  getApiVersion,
  tryGetApiVersion,
  type ApiVersionOptions,
  type VersionLifecycle,
  type VersionLink,
} from "./middleware/api-version.js";
export {
  authenticate,
  getPrincipal,
  tryGetPrincipal,
  type AuthenticateOptions,
  type CredentialsVerifier,
  type Principal,
} from "./middleware/authenticate.js";
export { bodyLength, type BodyLengthOptions } from "./middleware/body-length.js";
export {
  contentType,
  getNegotiatedType,
  tryGetNegotiatedType,
  type ContentTypeOptions,
} from "./middleware/content-type.js";
export {
  createServer,
  protocolErrors,
  type CreateServerOptions,
  type ProtocolErrorReport,
  type ProtocolErrorsOptions,
} from "./middleware/create-server.js";
export { errorFormatter, type ErrorFormatterOptions, type ErrorReport } from "./middleware/error-formatter.js";
export * from "./middleware/filter.js";
export { httpsOnly, type HttpsOnlyOptions } from "./middleware/https-only.js";
export { jsonBody, type JsonBodyOptions } from "./middleware/json-body.js";
export {
  jwtVerifier,
  type JsonWebKeySet,
  type JwtVerifierOptions,
  type KeySource,
  type PerRequest,
} from "./middleware/jwt-verifier.js";
export { methodNotAllowed, type MethodNotAllowedOptions } from "./middleware/method-not-allowed.js";
export { notFound, type NotFoundOptions } from "./middleware/not-found.js";
export {
  operationCors,
  type CorsOperation,
  type OperationCorsOptions,
  type OriginOption,
} from "./middleware/operation-cors.js";
export {
  getPage,
  pagination,
  tryGetPage,
  type Page,
  type PageLimit,
  type PaginationContext,
  type PaginationOptions,
} from "./middleware/pagination.js";
export { getPatch, patch, PATCH_TYPES, tryGetPatch, type PatchOptions, type RequestPatch } from "./middleware/patch.js";
export {
  getQuery,
  queryParameters,
  tryGetQuery,
  type PlusPolicy,
  type Query,
  type QueryParametersOptions,
  type QueryValues,
} from "./middleware/query-parameters.js";
export {
  expressRateLimit,
  rateLimiterFlexible,
  rateLimitHeaders,
  type AnswerOption,
  type ConsumeRateLimit,
  type FlexibleLimiter,
  type FlexibleResult,
  type RateLimit,
  type RateLimitHeadersOptions,
} from "./middleware/rate-limit-headers.js";
export {
  getRequestContext,
  parseUserAgent,
  requestContext,
  tryGetRequestContext,
  type RequestContext,
  type RequestContextOptions,
  type RequestContextRecord,
  type UserAgent,
} from "./middleware/request-context.js";
export { getRequestId, requestId, tryGetRequestId, type RequestIdOptions } from "./middleware/request-id.js";
export { requireScopes, type RequireScopesOptions } from "./middleware/require-scopes.js";
export { responseCheck, type ResponseCheckOptions, type ResponseFault } from "./middleware/response-check.js";
export { sharedShapes, type SharedShapesOptions } from "./middleware/shared-shapes.js";
export {
  createBodyVerifier,
  utf8Guard,
  verifyUtf8,
  type BodyVerifier,
  type BodyVerifierOptions,
  type Utf8GuardOptions,
} from "./middleware/utf8-guard.js";
export {
  getWeakEtag,
  tryGetWeakEtag,
  weakEtag,
  type PreconditionOutcome,
  type PreviousTagVersion,
  type TagSchemeOptions,
  type TagSource,
  type TagVersion,
  type WeakEtag,
  type WeakEtagOptions,
} from "./middleware/weak-etag.js";
export {
  compileWebfingerParser,
  formatJrd,
  webfinger,
  webfingerError,
  type AskedRelations,
  type IdentityProvider,
  type IssuerRel,
  type Jrd,
  type JrdLink,
  type ParsedWebfingerQuery,
  type ProviderSelection,
  type SelectedProvider,
  type WebfingerFault,
  type WebfingerOptions,
  type WebfingerOrg,
  type WebfingerQuery,
} from "./middleware/webfinger.js";

export { compileAccept, MAX_ACCEPT_LENGTH, selectMediaType, type MediaTypeSelector } from "./lib/accept.js";
export type { Hop, HopReason, HopSource } from "./lib/client-address.js";
export type { CursorKey } from "./lib/cursor.js";
export { formatDate, isDate, parseDate } from "./lib/dates.js";
export {
  clientError,
  ERROR_CATALOGUE,
  formatErrorObject,
  fromCatalogue,
  type CatalogueEntry,
  type ErrorArguments,
  type ErrorCause,
  type ErrorCode,
  type ErrorFacts,
  type ErrorObject,
  type ErrorProperties,
} from "./lib/error-catalogue.js";
export { fieldLines } from "./lib/field-lines.js";
export {
  followPages,
  FollowPagesError,
  type FetchPage,
  type FollowedPage,
  type FollowPagesErrorReason,
  type FollowPagesOptions,
  type PageResponse,
} from "./lib/follow-pages.js";
export { compileIpRanges, parseIpRange, type IpRange, type IpRangeSet } from "./lib/ip-ranges.js";
export {
  applyJsonPatch,
  JSON_PATCH_TYPE,
  parseJsonPatch,
  PatchError,
  type JsonPatch,
  type JsonPatchOperation,
  type PatchFaultReason,
} from "./lib/json-patch.js";
export { formatPointer, parsePointer, readPointer } from "./lib/json-pointer.js";
export { findForbiddenText } from "./lib/json-text.js";
export {
  compareKeys,
  keysetCondition,
  keysetOrder,
  selectRows,
  type KeysetComparison,
  type KeysetCondition,
  type KeysetPosition,
  type SortTerm,
} from "./lib/keyset.js";
export { encodeUri, findLink, formatLinkHeader, parseLinkHeader, type ParsedLink } from "./lib/link-header.js";
export {
  compileOperations,
  formatLink,
  formatList,
  formatPath,
  isLinkRelation,
  isLinkTarget,
  withLinks,
  type Link,
  type LinkProperties,
  type Links,
  type Operations,
  type OperationTable,
  type PublishedOperation,
} from "./lib/links.js";
export { formatMediaType, isUtf8, parseMediaType, type MediaType } from "./lib/media-type.js";
export { applyMergePatch, MERGE_PATCH_TYPE } from "./lib/merge-patch.js";
export { compileNamespace, DEFAULT_NAMESPACE, type Namespace } from "./lib/namespace.js";
export { omitNull } from "./lib/omit-null.js";
export { formatOrigin, isOrigin } from "./lib/origin.js";
export { createRequestSlot, type RequestSlot } from "./lib/request-slot.js";
export { compileTrustedProxies, type TrustOption, type TrustPredicate } from "./lib/trusted-proxies.js";
export type { DeviceType, UserAgentDetails } from "./lib/user-agent.js";
