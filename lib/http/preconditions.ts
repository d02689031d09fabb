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

/** The methods whose response may be a 304: those that read. QUERY is RFC 10008. */
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "QUERY"]);

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
    return isReading(method) ? "not-modified" : "failed";
  }
  return "proceed";
}

/** Whether a method reads, so that a client that has the object already gets a 304. */
export function isReading(method: string): boolean {
  return READING.has(method);
}

/** Whether there are any. */
export function isConditional({ ifMatch, ifNoneMatch }: Preconditions): boolean {
  return ifMatch !== undefined || ifNoneMatch !== undefined;
}

/** Whether a write can't overwrite an unseen change. `If-None-Match` with a tag excludes only that one state. */
export function isProtected({ ifMatch, ifNoneMatch }: Preconditions): boolean {
  return ifMatch !== undefined || ifNoneMatch === "*";
}

/** Say why preconditions failed. */
export function describeMismatch({ ifMatch, ifNoneMatch }: Preconditions, exists: boolean): string {
  if (!exists) return "If-Match requires that the object exists; it does not.";
  if (ifNoneMatch === undefined) return "If-Match does not have the current tag of the object; get it again.";
  if (ifMatch === undefined) return "If-None-Match excludes the object that exists.";
  return "If-Match and If-None-Match do not both allow the current object; get it again.";
}

/**
 * Say what is wrong when `route` responded with `status`, a 2xx, and nothing evaluated the preconditions of a write. A
 * message for the author of the route.
 */
export function describeLoss({ ifMatch, ifNoneMatch }: Preconditions, route: string, status: number): string {
  const fields = [ifMatch && "If-Match", ifNoneMatch && "If-None-Match"].filter(Boolean).join(" and ");
  return `weakEtag: ${route} responded ${status} and nothing evaluated ${fields}, so the update of another client may be lost. Call getEntityTag(req).assert(current) before you write, or write with compareAndSet().`;
}

/** Whether there is an object with one of the tags. */
function isMet(condition: EntityTagCondition, hasTag: TagMatcher | undefined, isMatch: EntityTagComparison): boolean {
  if (hasTag === undefined) return false;
  return condition === "*" || condition.some((tag) => hasTag(tag, isMatch));
}
