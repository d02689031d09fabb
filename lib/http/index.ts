export { compileAccept, MAX_ACCEPT_LENGTH, type MediaTypeSelector, selectMediaType } from "./accept.js";
export { parseStrength } from "./compile-entity-tags.js";
export * from "./entity-tags.js";
export { CONTENT_CODINGS, type Decode, DECODERS } from "./content-codings.js";
export { findEncodedDelimiter } from "./encoded-delimiter.js";
export type { EntityTagComparison } from "./entity-tag.js";
export { fieldLines } from "./field-lines.js";
export { parseLanguages } from "./languages.js";
export { encodeUri, findLink, formatLinkHeader, type ParsedLink, parseLinkHeader } from "./link-header.js";
export {
  compileOperations,
  formatLink,
  formatList,
  formatPath,
  isLinkRelation,
  isLinkTarget,
  type Link,
  type LinkProperties,
  type Links,
  type Operations,
  type OperationTable,
  type PublishedOperation,
  withLinks,
} from "./links.js";
export { formatMediaType, isUtf8, type MediaType, parseMediaType } from "./media-type.js";
export { negotiatedType } from "./negotiated-type.js";
export {
  describeLoss,
  describeMismatch,
  evaluatePreconditions,
  isConditional,
  isProtected,
  isReading,
  parsePreconditions,
  type PreconditionOutcome,
  type Preconditions,
  type TagMatcher,
} from "./preconditions.js";
export {
  formatQueryFault,
  groupParameters,
  MAX_PARAMETERS,
  type ParsedQuery,
  parseQuery,
  type PlusPolicy,
  type QueryParameter,
} from "./query-string.js";
export { createIdGenerator, isRequestId } from "./random-id.js";
export type { Nothing, RequestEntityTag, Stored } from "./request-entity-tag.js";
export { targetPath } from "./target-path.js";
export { formatParameters } from "./parameters-text.js";
export { addToQuery, queryOf, RequestQuery } from "./request-query.js";
export {
  compileTagScheme,
  type PreviousTagVersion,
  type TagScheme,
  type TagSchemeOptions,
  type TagSource,
  type TagVersion,
} from "./tag-scheme.js";
export { isJsonType, mediaTypesOption } from "./media-types-option.js";
export {
  areRateLimits,
  endOfWindow,
  formatPolicies,
  formatServiceLimits,
  type RateLimit,
  strictestLimit,
  toCount,
} from "./rate-limit.js";
export * from "./structured-fields.js";
