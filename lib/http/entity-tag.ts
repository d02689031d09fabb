import { excerpt } from "../text/index.js";

/** In characters: more than any cache sends. Node itself accepts 16 KB of header. */
export const MAX_ENTITY_TAGS_LENGTH = 4096;

/** A client has one tag of an object; a cache has one for each variant that it stores. */
export const MAX_ENTITY_TAGS = 64;

/** The value of `If-Match` or `If-None-Match`: `*` for any object that exists, or a list of tags. */
export type EntityTagCondition = "*" | readonly string[];

/** A comparison of two entity tags, {@link weakMatch} or {@link strongMatch}. */
export type EntityTagComparison = (a: string, b: string) => boolean;

/**
 * Lists of entity tags, RFC 9110 sections 8.8.3 and 13.1. A tag may contain commas and obs-text.
 *
 * condition  = "*" / #entity-tag
 * entity-tag = [ weak ] opaque-tag
 * weak       = %s"W/"
 * opaque-tag = DQUOTE *etagc DQUOTE
 * etagc      = %x21 / %x23-7E / obs-text
 * obs-text   = %x80-FF
 *
 * The expression matches one element and the comma after it; an element may be empty (section 5.6.1.2).
 */
const ELEMENT_REGEXP = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;

/**
 * Parse the value of `If-Match` or `If-None-Match`, several lines joined by commas. The tags keep their quotes and `W/`.
 * The grammar allows a value without any tag, but here it is a fault: its sender meant one.
 *
 * @returns the condition, or the fault as the end of a sentence about the field
 */
export function parseEntityTags(
  value: string,
): { condition: EntityTagCondition; fault?: undefined } | { condition?: undefined; fault: string } {
  if (value.length > MAX_ENTITY_TAGS_LENGTH) return { fault: `is longer than ${MAX_ENTITY_TAGS_LENGTH} characters` };
  if (value === "*") return { condition: "*" };

  const tags: string[] = [];
  for (let index = 0; index < value.length; index = ELEMENT_REGEXP.lastIndex) {
    ELEMENT_REGEXP.lastIndex = index;
    const element = ELEMENT_REGEXP.exec(value);
    if (!element) return { fault: describeJunk(value, index) };
    if (element[1] !== undefined) tags.push(element[1]);
  }
  if (tags.length === 0) return { fault: "has no entity tag" };
  if (tags.length > MAX_ENTITY_TAGS) return { fault: `has more than ${MAX_ENTITY_TAGS} entity tags` };
  return { condition: tags };
}

/** Compare weakly: the opaque tags are equal (RFC 9110 section 8.8.3.2). */
export function weakMatch(a: string, b: string): boolean {
  return opaqueTag(a) === opaqueTag(b);
}

/** Compare strongly: the opaque tags are equal, and neither tag is weak (RFC 9110 section 8.8.3.2). */
export function strongMatch(a: string, b: string): boolean {
  return a === b && !isWeak(a);
}

function isWeak(tag: string): boolean {
  return tag.startsWith("W/");
}

function opaqueTag(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag;
}

function describeJunk(value: string, index: number): string {
  const junk = value.slice(index).trimStart();
  return `has ${excerpt(junk)} at offset ${value.length - junk.length}, where a tag such as W/"1.abc" is expected`;
}
