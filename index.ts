/** The public door: re-exports only. It is longer than other files because it lists every public name. */
export { suite, type Suite, type SuiteOptions, type SuiteParts } from "./suite.js";

export {
  type ApiTokenRecord,
  apiTokenVerifier,
  type ApiTokenVerifierOptions,
  createApiToken,
  type CreateApiTokenOptions,
  hashApiToken,
  isApiToken,
  type JsonWebKeySet,
  jwtVerifier,
  type JwtVerifierOptions,
  type KeySource,
  type NewApiToken,
  type PerRequest,
} from "./lib/auth/index.js";
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
  type CreateServerOptions,
  type ProtocolErrorReport,
  protocolErrors,
  type ProtocolErrorsOptions,
} from "./lib/server/index.js";
export {
  errorFormatter,
  type ErrorFormatterOptions,
  type ErrorReport,
  type MappedError,
} from "./middleware/error-formatter.js";
export {
  checkFilter,
  type ComparisonOperator,
  type CompiledAttribute,
  compileFilter,
  compileFilterSchema,
  compileFilterSql,
  type Filter,
  filter,
  type FilterAttribute,
  type FilterAttributeType,
  type FilterCaps,
  type FilterColumn,
  type FilterComparison,
  type FilterDialect,
  FilterError,
  type FilterErrorFacts,
  type FilterErrorKind,
  type FilterJunction,
  type FilterNegation,
  type FilterOperand,
  type FilterOperator,
  type FilterOptions,
  type FilterPresence,
  type FilterSchema,
  type FilterSchemaOptions,
  type FilterSql,
  type FilterSqlOptions,
  type FilterTerm,
  formatFilter,
  getFilter,
  parseFilter,
  type RequestFilter,
  type SqlParameter,
  tryGetFilter,
} from "./middleware/filter.js";
export { httpsOnly, type HttpsOnlyOptions } from "./middleware/https-only.js";
export {
  getIdempotencyKey,
  idempotency,
  type IdempotencyOptions,
  type IdempotencyStore,
  tryGetIdempotencyKey,
} from "./middleware/idempotency.js";
export {
  memoryIdempotencyStore,
  type MemoryIdempotencyStoreOptions,
  redisIdempotencyStore,
  type SendRedisCommand,
  type SqlConnection,
  type SqlIdempotencyStore,
  sqlIdempotencyStore,
  type SqlIdempotencyStoreOptions,
} from "./lib/idempotency/index.js";
export { jsonBody, type JsonBodyOptions } from "./middleware/json-body.js";
export { methodNotAllowed, type MethodNotAllowedOptions } from "./middleware/method-not-allowed.js";
export { notFound } from "./middleware/not-found.js";
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
  type ResponseOption,
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
  getEntityTag,
  tryGetEntityTag,
  weakEtag,
  type PreconditionOutcome,
  type PreviousTagVersion,
  type TagSchemeOptions,
  type TagSource,
  type TagVersion,
  type RequestEntityTag,
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

export {
  compileAccept,
  compileOperations,
  encodeUri,
  fieldLines,
  findLink,
  formatLink,
  formatLinkHeader,
  formatList,
  formatMediaType,
  formatPath,
  isLinkRelation,
  isLinkTarget,
  isUtf8,
  type Link,
  type LinkProperties,
  type Links,
  MAX_ACCEPT_LENGTH,
  type MediaType,
  type MediaTypeSelector,
  type Operations,
  type OperationTable,
  type ParsedLink,
  parseLinkHeader,
  parseMediaType,
  type PublishedOperation,
  selectMediaType,
  withLinks,
} from "./lib/http/index.js";
export {
  compileIpRanges,
  compileTrustedProxies,
  type DeviceType,
  formatOrigin,
  type Hop,
  type HopReason,
  type HopSource,
  type IpRange,
  type IpRangeSet,
  isOrigin,
  parseIpRange,
  type TrustOption,
  type TrustPredicate,
  type UserAgentDetails,
} from "./lib/net/index.js";
export {
  compareKeys,
  type CursorKey,
  type FetchPage,
  type FollowedPage,
  followPages,
  FollowPagesError,
  type FollowPagesErrorReason,
  type FollowPagesOptions,
  type KeysetComparison,
  keysetCondition,
  type KeysetCondition,
  keysetOrder,
  type KeysetPosition,
  type PageResponse,
  selectRows,
  type SortTerm,
} from "./lib/list/index.js";
export { formatDate, isDate, parseDate } from "./lib/text/index.js";
export {
  apiError,
  type ApiError,
  type CatalogueEntry,
  compileApiError,
  ERROR_CATALOGUE,
  type ErrorCatalogue,
  type ErrorCause,
  type ErrorCode,
  type ErrorFacts,
  type ErrorObject,
  type ErrorType,
  formatErrorObject,
  type MakeApiError,
} from "./lib/errors/index.js";
export {
  applyJsonPatch,
  applyMergePatch,
  findForbiddenText,
  type ForbiddenTextOptions,
  formatPointer,
  JSON_PATCH_TYPE,
  type JsonPatch,
  type JsonPatchOperation,
  MERGE_PATCH_TYPE,
  omitNull,
  parseJson,
  parseJsonPatch,
  parsePointer,
  PatchError,
  type PatchFaultReason,
  readPointer,
} from "./lib/json/index.js";
export {
  compileNamespace,
  createRequestSlot,
  DEFAULT_NAMESPACE,
  type ErrorMiddleware,
  type Middleware,
  type Namespace,
  type RequestSlot,
} from "./lib/factory/index.js";
