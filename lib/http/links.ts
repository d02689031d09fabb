/**
 * Hypermedia: the `_links` of an object (rules L1–L5).
 *
 * relation = reg-rel-type / ext-rel-type                RFC 8288 section 3.3
 * reg-rel-type = LOALPHA *( LOALPHA / DIGIT / "." / "-" )
 * ext-rel-type = URI
 *
 * Names of operations in camel case (`expirePassword`) are taken too: APIs of this family have them.
 */
const RELATION_REGEXP = /^(?:[A-Za-z][A-Za-z0-9.-]*|[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e]+)$/;

/** An absolute http(s) URL or an absolute path, without what could end an attribute or a header. */
const HREF_REGEXP = /^(?:https?:\/\/[^\s/?#<>"\\^`{|}]+(?=[/?#]|$)|\/(?!\/))[^\s<>"\\^`{|}]*$/;

/** What URL readers take out of a path again. */
const DOT_SEGMENT_REGEXP = /^\.{0,2}$/;

/** The usual id, which needs no encoding. */
const SAFE_SEGMENT_REGEXP = /^[A-Za-z0-9_-]+$/;

/** What a link is without saying so (rule L3). */
const IMPLIED_TYPE = "application/json";

/** Stands behind each row of a list while the rows are serialised; which text it is does not matter. */
const MARK = "end of row";
const END_OF_ROW = `},${JSON.stringify(MARK)}`;

const BRACE = 0x7b;

/** A Link object. */
export interface Link {
  /** Target: an absolute URL or an absolute path. */
  readonly href: string;
  readonly name?: string;
  /** Media type of the target, where it is no API endpoint: never `application/json`. */
  readonly type?: string;
  /** Method of an operation, lower case: `post`. */
  readonly method?: string;
  /** What else is known of the target, such as `hints: { allow: ["GET"] }`. */
  readonly [property: string]: unknown;
}

/** `_links`: relation types, each with a Link object, or with several. */
export type Links = Readonly<Record<string, Link | readonly Link[]>>;

/** What {@link formatLink} adds to the target; members that are `undefined` are left out. */
export interface LinkProperties {
  name?: string | undefined;
  type?: string | undefined;
  method?: string | undefined;
  [property: string]: unknown;
}

/** For each operation, by its link relation, the states that publish it. */
export type OperationTable<Operation extends string, State extends string> = Readonly<
  Record<Operation, PublishedOperation<State>>
>;

export interface PublishedOperation<State extends string> {
  readonly states: readonly State[];
  /** Path segment of the operation, when it is not the relation: `expire_password` for `expirePassword`. */
  readonly segment?: string;
  /** @default "post" */
  readonly method?: string;
}

/** An {@link OperationTable}, compiled. What is published is what is allowed (rule L4). */
export interface Operations<Operation extends string, State extends string> {
  /** Links to the operations of an object in `state`, each `base`, a slash and its segment. */
  format(state: State, base: string): Partial<Record<Operation, Link>>;
  /** Whether an object in `state` publishes `operation`. */
  isAllowed(operation: Operation, state: State): boolean;
}

/** Whether `value` can be a key of `_links`. */
export function isLinkRelation(value: string): boolean {
  return RELATION_REGEXP.test(value);
}

/** Whether `value` can be the `href` of a Link object. */
export function isLinkTarget(value: string): boolean {
  return HREF_REGEXP.test(value);
}

/**
 * `base` and the path segments below it, each percent-encoded, so that an id can't change the path it stands in.
 *
 * @throws {TypeError} when a segment is empty, `.`, `..` or holds a lone surrogate
 */
export function formatPath(base: string, ...segments: readonly string[]): string {
  let path = base;
  for (const segment of segments) path += `/${formatSegment(segment)}`;
  return path;
}

/**
 * A Link object. A `type` of `application/json` is left out, for every link is of that type unless it says another (rule
 * L3).
 *
 * @throws {TypeError} when `href` is neither an absolute http(s) URL nor an absolute path
 */
export function formatLink(href: string, properties: Readonly<LinkProperties> = {}): Link {
  if (!isLinkTarget(href)) {
    throw new TypeError(`${JSON.stringify(href)} is neither an absolute http(s) URL nor an absolute path`);
  }
  const link: Link & Record<string, unknown> = { href };
  for (const [name, value] of Object.entries(properties)) {
    if (value !== undefined && !(name === "type" && value === IMPLIED_TYPE)) link[name] = value;
  }
  return link;
}

/**
 * A copy of `object` with `_links`; relations that are `undefined` are left out. In a collection give each object its
 * `self` and no more; the object itself carries all (rule L5).
 *
 * @throws {TypeError} when a key of `links` is no link relation
 */
export function withLinks<T extends object>(
  object: T,
  links: Readonly<Record<string, Link | readonly Link[] | undefined>>,
): T & { _links: Links } {
  const published: Record<string, Link | readonly Link[]> = {};
  for (const [relation, link] of Object.entries(links)) {
    if (!isLinkRelation(relation)) throw new TypeError(`${JSON.stringify(relation)} is no link relation`);
    if (link !== undefined) published[relation] = link;
  }
  return { ...object, _links: published };
}

/**
 * The JSON of a list in which each object carries its `self` link and no more (rule L5): the text that
 * `rows.map((row) => withLinks(row, { self: formatLink(formatPath(base, segmentOf(row))) }))` has, without the copies.
 *
 * @param base an absolute http(s) URL or an absolute path
 * @param segmentOf the path segment of a row below `base`, such as its id; it is percent-encoded
 * @throws {TypeError} when `base` is neither, or a segment is empty, `.`, `..` or holds a lone surrogate
 */
export function formatList<T extends object>(rows: readonly T[], base: string, segmentOf: (row: T) => string): string {
  const { href } = formatLink(`${base}/`);
  const open = `"_links":{"self":{"href":${JSON.stringify(href).slice(0, -1)}`;
  let count = 0;
  const text = markRows(rows)?.replaceAll(END_OF_ROW, (_end, offset: number, marked: string) => {
    const row = rows[count++];
    if (row === undefined) return "";
    const comma = marked.charCodeAt(offset - 1) === BRACE ? "" : ",";
    return `${comma}${open}${formatSegment(segmentOf(row))}"}}}`;
  });
  if (text !== undefined && count === rows.length) return text;
  return JSON.stringify(rows.map((row) => withLinks(row, { self: formatLink(formatPath(base, segmentOf(row))) })));
}

/**
 * Compile which operations an object has in which state, once for what is published and what is allowed.
 *
 * @throws {TypeError} when a relation or a segment is none
 */
export function compileOperations<Operation extends string, State extends string>(
  table: OperationTable<Operation, State>,
): Operations<Operation, State> {
  const entries = Object.entries<PublishedOperation<State>>(table).map(([relation, operation]) => {
    const { states, segment = relation, method = "post" } = operation;
    if (!isLinkRelation(relation)) throw new TypeError(`${JSON.stringify(relation)} is no link relation`);
    return { relation: relation as Operation, states: new Set(states), path: formatPath("", segment), method };
  });
  const statesOf = new Map(entries.map(({ relation, states }) => [relation, states]));

  return {
    format(state, base) {
      const links: Partial<Record<Operation, Link>> = {};
      for (const { relation, states, path, method } of entries) {
        if (states.has(state)) links[relation] = formatLink(base + path, { method });
      }
      return links;
    },
    isAllowed(operation, state) {
      return statesOf.get(operation)?.has(state) ?? false;
    },
  };
}

/** Whether `row` becomes an object of its own members, to which `_links` can be added. */
function isPlain(row: object): boolean {
  return Object.getPrototypeOf(row) === Object.prototype && !("toJSON" in row) && !("_links" in row);
}

/**
 * The JSON of `rows` with a mark behind each. They are serialised in one call, which is faster than one for each. A row that
 * holds what looks like a marked end makes one too many of them.
 */
function markRows(rows: readonly object[]): string | undefined {
  const marked: unknown[] = [];
  for (const row of rows) {
    if (!isPlain(row)) return undefined;
    marked.push(row, MARK);
  }
  return JSON.stringify(marked);
}

function formatSegment(segment: string): string {
  return SAFE_SEGMENT_REGEXP.test(segment) ? segment : encodeSegment(segment);
}

function encodeSegment(segment: string): string {
  if (DOT_SEGMENT_REGEXP.test(segment)) throw new TypeError(`${JSON.stringify(segment)} is no path segment`);
  try {
    return encodeURIComponent(segment);
  } catch {
    throw new TypeError(`${JSON.stringify(segment)} is no path segment`);
  }
}
