/**
 * Hypermedia: the `_links` of an object (rules L1–L5).
 *
 * relation = reg-rel-type / ext-rel-type                RFC 8288 section 3.3
 * reg-rel-type = LOALPHA *( LOALPHA / DIGIT / "." / "-" )
 * ext-rel-type = URI
 *
 * Names of operations in camel case (`expirePassword`) are accepted too, because APIs of this family have them.
 */
const RELATION_REGEXP = /^(?:[A-Za-z][A-Za-z0-9.-]*|[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e]+)$/;

/** An absolute http(s) URL or an absolute path, without characters that could end an attribute or a header. */
const HREF_REGEXP = /^(?:https?:\/\/[^\s/?#<>"\\^`{|}]+(?=[/?#]|$)|\/(?!\/))[^\s<>"\\^`{|}]*$/;

/** Segments that URL parsers remove from a path. */
const DOT_SEGMENT_REGEXP = /^\.{0,2}$/;

/** A segment that needs no encoding, such as the usual id. */
const SAFE_SEGMENT_REGEXP = /^[A-Za-z0-9_-]+$/;

/** The type of a link without `type` (rule L3). */
const IMPLIED_TYPE = "application/json";

/** Follows each row of a list while the rows are serialised. Any text would do. */
const MARK = "end of row";
const END_OF_ROW = `},${JSON.stringify(MARK)}`;

const BRACE = 0x7b;

/** A Link object. */
export interface Link {
  /** The target: an absolute http(s) URL or an absolute path. */
  readonly href: string;
  /** A name for people. */
  readonly name?: string;
  /** The media type of the target, if it is not `application/json`. */
  readonly type?: string;
  /** The method of an operation, in lower case: `post`. */
  readonly method?: string;
  /** Further facts about the target, such as `hints: { allow: ["GET"] }`. */
  readonly [property: string]: unknown;
}

/** `_links`: one or several Link objects for each relation type. */
export type Links = Readonly<Record<string, Link | readonly Link[]>>;

/** The properties that {@link formatLink} adds to the target. Members that are `undefined` are left out. */
export interface LinkProperties {
  name?: string | undefined;
  type?: string | undefined;
  method?: string | undefined;
  [property: string]: unknown;
}

/** The operations of an object by link relation, with the states that publish them. */
export type OperationTable<Operation extends string, State extends string> = Readonly<
  Record<Operation, PublishedOperation<State>>
>;

/** One operation of an {@link OperationTable}. */
export interface PublishedOperation<State extends string> {
  /** The states of an object in which the operation is allowed. */
  readonly states: readonly State[];
  /**
   * The path segment of the operation, such as `expire_password` for `expirePassword`.
   *
   * @default the link relation
   */
  readonly segment?: string;
  /**
   * The method of the operation, in lower case.
   *
   * @default "post"
   */
  readonly method?: string;
}

/** A compiled {@link OperationTable}. An object publishes exactly the operations that are allowed (rule L4). */
export interface Operations<Operation extends string, State extends string> {
  /** Links to the operations of an object in `state`. Each `href` is `base`, a slash and the segment. */
  format(state: State, base: string): Partial<Record<Operation, Link>>;
  /** Whether an object in `state` publishes `operation`. */
  isAllowed(operation: Operation, state: State): boolean;
}

/**
 * Whether `value` can be a key of `_links`.
 *
 * @example
 * isLinkRelation("expirePassword"); // true
 */
export function isLinkRelation(value: string): boolean {
  return RELATION_REGEXP.test(value);
}

/**
 * Whether `value` can be the `href` of a Link object: an absolute http(s) URL or an absolute path.
 *
 * @example
 * isLinkTarget("/api/v1/users/1"); // true
 * isLinkTarget("users/1"); // false
 */
export function isLinkTarget(value: string): boolean {
  return HREF_REGEXP.test(value);
}

/**
 * Append path segments to `base`. Each is percent-encoded, so that an id can't change the path.
 *
 * @throws {TypeError} when a segment is empty, `.`, `..` or contains a lone surrogate
 * @example
 * formatPath("/api/v1/users", "a/b"); // "/api/v1/users/a%2Fb"
 */
export function formatPath(base: string, ...segments: readonly string[]): string {
  let path = base;
  for (const segment of segments) path += `/${formatSegment(segment)}`;
  return path;
}

/**
 * Make a Link object. It omits a `type` of `application/json`, the default type of a link (rule L3).
 *
 * @throws {TypeError} when `href` is neither an absolute http(s) URL nor an absolute path
 * @example
 * formatLink("/api/v1/users/1", { method: "delete" }); // { href: "/api/v1/users/1", method: "delete" }
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
 * Copy `object` and add `_links`. Relations that are `undefined` are left out. In a list, give each object only its
 * `self` link; the object alone has all its links (rule L5).
 *
 * @throws {TypeError} when a key of `links` is not a link relation
 * @example
 * withLinks({ id: "1" }, { self: formatLink("/users/1") }); // { id: "1", _links: { self: { href: "/users/1" } } }
 */
export function withLinks<T extends object>(
  object: T,
  links: Readonly<Record<string, Link | readonly Link[] | undefined>>,
): T & { _links: Links } {
  const published: Record<string, Link | readonly Link[]> = {};
  for (const [relation, link] of Object.entries(links)) {
    if (!isLinkRelation(relation)) throw new TypeError(`${JSON.stringify(relation)} is not a link relation`);
    if (link !== undefined) published[relation] = link;
  }
  return { ...object, _links: published };
}

/**
 * Format a list as JSON in which each object has only its `self` link (rule L5). The text is the JSON of
 * `rows.map((row) => withLinks(row, { self: formatLink(formatPath(base, segmentOf(row))) }))`, without the copies.
 *
 * @param base an absolute http(s) URL or an absolute path
 * @param segmentOf returns the path segment of a row below `base`, such as its id; it is percent-encoded
 * @throws {TypeError} when `base` is neither, or a segment is empty, `.`, `..` or contains a lone surrogate
 * @example
 * formatList([{ id: "1" }], "/users", ({ id }) => id); // '[{"id":"1","_links":{"self":{"href":"/users/1"}}}]'
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
 * Compile the table of an object's operations and the states in which they are allowed. The same table publishes links
 * and checks requests. A state is any string, unless you name the states: `compileOperations<"suspend", User["status"]>`.
 *
 * @throws {TypeError} when a link relation or a path segment is invalid
 * @example
 * const operations = compileOperations({ suspend: { states: ["ACTIVE"] } });
 * operations.format("ACTIVE", "/users/1"); // { suspend: { href: "/users/1/suspend", method: "post" } }
 * operations.isAllowed("suspend", "STAGED"); // false
 */
export function compileOperations<Operation extends string, State extends string = string>(
  table: OperationTable<Operation, NoInfer<State>>,
): Operations<Operation, State> {
  const entries = Object.entries<PublishedOperation<State>>(table).map(([relation, operation]) => {
    const { states, segment = relation, method = "post" } = operation;
    if (!isLinkRelation(relation)) throw new TypeError(`${JSON.stringify(relation)} is not a link relation`);
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

/** Whether `row` is serialised as an object of its own members, to which `_links` can be added. */
function isPlain(row: object): boolean {
  return Object.getPrototypeOf(row) === Object.prototype && !("toJSON" in row) && !("_links" in row);
}

/**
 * The JSON of `rows` with a mark after each. One call for all rows is faster than one for each. If a row contains the text
 * of a marked end, there are too many ends, and the caller notices.
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
  if (DOT_SEGMENT_REGEXP.test(segment)) throw new TypeError(`${JSON.stringify(segment)} is not a path segment`);
  try {
    return encodeURIComponent(segment);
  } catch {
    throw new TypeError(`${JSON.stringify(segment)} is not a path segment`);
  }
}
