import { parseEntityTags, weakMatch, type EntityTagComparison, type EntityTagCondition } from "./entity-tag.js";

/** What a request says of the object that it is for. */
export interface Preconditions {
  readonly ifMatch?: EntityTagCondition;
  readonly ifNoneMatch?: EntityTagCondition;
}

/** What is to be done with a request: answer it, answer 304, or answer 412. */
export type PreconditionOutcome = "proceed" | "not-modified" | "failed";

/** Whether the object, as it is now, has `tag` by that comparison. */
export type TagMatcher = (tag: string, isMatch: EntityTagComparison) => boolean;

/** The fields as Node gives them; it joins several lines by commas. */
interface ConditionalFields {
  readonly "if-match"?: string | undefined;
  readonly "if-none-match"?: string | undefined;
}

const NONE: Preconditions = Object.freeze({});

/**
 * Read the preconditions of a request. Those of a method that selects no object are ignored (RFC 9110 section 13.2.1),
 * and so are dates, which count only where a modification date is known (sections 13.1.3 and 13.1.4).
 *
 * @returns the preconditions, or a sentence on which field is wrong and why
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
 * @param hasTag on the object as it is now; `undefined` when there is none
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

/** Whether there is an object, and it has one of the tags. */
function isMet(condition: EntityTagCondition, hasTag: TagMatcher | undefined, isMatch: EntityTagComparison): boolean {
  if (hasTag === undefined) return false;
  return condition === "*" || condition.some((tag) => hasTag(tag, isMatch));
}
