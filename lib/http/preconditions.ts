import { parseEntityTags, weakMatch, type EntityTagComparison, type EntityTagCondition } from "./entity-tag.js";

/** The preconditions of a request. */
export interface Preconditions {
  readonly ifMatch?: EntityTagCondition;
  readonly ifNoneMatch?: EntityTagCondition;
}

/** What to do with a request: serve it, send 304, or send 412. */
export type PreconditionOutcome = "proceed" | "not-modified" | "failed";

/** Whether the current object has `tag`, according to that comparison. */
export type TagMatcher = (tag: string, isMatch: EntityTagComparison) => boolean;

/** The header fields from Node, which joins several lines by commas. */
interface ConditionalFields {
  readonly "if-match"?: string | undefined;
  readonly "if-none-match"?: string | undefined;
}

const NONE: Preconditions = Object.freeze({});

/**
 * Parse the preconditions of a request. They are ignored for a method that selects no object (RFC 9110 section 13.2.1).
 * Dates are ignored too: they count only when a modification date is known (sections 13.1.3 and 13.1.4).
 *
 * @returns the preconditions, or a sentence that says which field is malformed and why
 */
export function parsePreconditions(
  method: string,
  fields: ConditionalFields,
): { preconditions: Preconditions; fault?: undefined } | { preconditions?: undefined; fault: string } {
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = fields;
  if (ifMatch === undefined && ifNoneMatch === undefined) return { preconditions: NONE };
  if (method === "OPTIONS" || method === "TRACE" || method === "CONNECT") return { preconditions: NONE };

  const preconditions: { ifMatch?: EntityTagCondition; ifNoneMatch?: EntityTagCondition } = {};
  if (ifMatch !== undefined) {
    const { condition, fault } = parseEntityTags(ifMatch);
    if (condition === undefined) return { fault: `If-Match ${fault}.` };
    preconditions.ifMatch = condition;
  }
  if (ifNoneMatch !== undefined) {
    const { condition, fault } = parseEntityTags(ifNoneMatch);
    if (condition === undefined) return { fault: `If-None-Match ${fault}.` };
    preconditions.ifNoneMatch = condition;
  }
  return { preconditions };
}

/**
 * Evaluate preconditions in the order of RFC 9110 section 13.2.2, steps 1 and 3: `If-Match`, then `If-None-Match`, which
 * is always compared weakly (section 13.1.2).
 *
 * @param hasTag matches the tags of the current object; `undefined` when there is none
 * @param isMatch the comparison for `If-Match`
 */
export function evaluatePreconditions(
  method: string,
  { ifMatch, ifNoneMatch }: Preconditions,
  hasTag: TagMatcher | undefined,
  isMatch: EntityTagComparison,
): PreconditionOutcome {
  if (ifMatch !== undefined && !isMet(ifMatch, hasTag, isMatch)) return "failed";
  if (ifNoneMatch !== undefined && isMet(ifNoneMatch, hasTag, weakMatch)) {
    return method === "GET" || method === "HEAD" ? "not-modified" : "failed";
  }
  return "proceed";
}

/** Whether there is an object with one of the tags. */
function isMet(condition: EntityTagCondition, hasTag: TagMatcher | undefined, isMatch: EntityTagComparison): boolean {
  if (hasTag === undefined) return false;
  return condition === "*" || condition.some((tag) => hasTag(tag, isMatch));
}
