import type { Request } from "express";
import { formatLink, formatPath, withLinks, type Link } from "etiquette/links";
import { z } from "zod";
import type { AuditEvent } from "../audit/change-events.js";
import type { LogEntity, Stamped } from "../model/records.js";
import type { Db } from "../store/contract/schema.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import type { ReadableTable, Selection, Table } from "../store/records/table.js";
import { getTenant } from "../tenancy/tenant.js";
import type { ListOptions } from "./list.js";
import type { QueryReader } from "./query.js";
import type { NamedShape } from "./resource.js";

export interface Identified {
  readonly id: string;
}

/** What an operation does with records. Its scope ends with it. */
export type Right = "read" | "manage";

/** The description of one type of record, for reading. `Row` is a row of the table, `R` the record in it. */
export interface ReadableResourceType<Row, R extends Identified> {
  /** The singular, in errors and in the log: `TrustedOrigin`. */
  readonly label: string;
  /**
   * The singular in the description of the API, in names of operations and shapes.
   *
   * @default the label
   */
  readonly name?: string;
  /** The path of one record below `/api/<version>`, in Express syntax: `/zones/:id`. Scopes use its first segment. */
  readonly path: string;
  /** @default "v1" */
  readonly version?: "v1" | "v2";
  /** The rights whose operations pages of trusted origins may use (rule O1). */
  readonly cors?: readonly Right[];
  readonly table: ReadableTable<Row, R>;
  /** What reads the query of the list, before its page. */
  readonly query?: readonly QueryReader[];
  readonly pages?: Readonly<Omit<ListOptions, "resource">>;
  /**
   * Whether a list tells how many records it has, if it is asked.
   *
   * @default false
   */
  readonly hasTotal?: boolean;
  /** Which records a list contains. Throws when the query is invalid. */
  select(req: Request): Selection<Row>;
  /**
   * Whether the caller may know that there is this record; {@link select} says it for lists.
   *
   * @default always
   */
  isVisible?(req: Request, record: R): boolean;
  /** The records that contain this one, for the log. Throws when the path names one that the org doesn't have. */
  findParents?(db: Db, req: Request): Promise<LogEntity[]>;
  /**
   * The record as it is sent, without links.
   *
   * @default the record as it is
   */
  readonly format?: (record: R) => Identified;
  /**
   * What the response with a single record has in addition.
   *
   * @default nothing
   */
  readonly detail?: (record: R) => object;
  /** The shape of the record as it is sent, without links. */
  readonly shape: z.ZodObject;
  /** The JSON of a list, from the JSON of its elements. */
  formatList?(elements: string): string;
  /** The shape of a list, if {@link formatList} makes it another one than an array. */
  listShape?(element: z.ZodType): z.ZodType;
  /** Links in addition to `self`. `url` is the target of `self`. */
  links?(record: R, url: string, req: Request): Readonly<Record<string, Link | undefined>>;
  /** The relations of these links. */
  readonly relations?: readonly string[];
  /**
   * The text that the entity tag is made from. It differs between all states of all records.
   *
   * @default a hash of the record as it is sent, without links
   */
  readonly tag?: (record: R) => string;
  /**
   * What that hash is of.
   *
   * @default the record as it is sent, without links
   */
  readonly content?: (record: R) => object;
}

/** What surrounds each write of records, in its transaction. */
export interface WriteGuard {
  /** The parameters that it reads. */
  readonly query: readonly QueryReader[];
  /** Runs before the change. The function that it returns runs after the change, and may refuse it. */
  begin(req: Request, transaction: WriteTransaction, orgId: string): Promise<() => Promise<void>>;
}

/** The description of one type of record, for reading and writing. `E` is the names of its events in the log. */
export interface ResourceType<Row, R extends Identified & Stamped, E extends string> extends ReadableResourceType<
  Row,
  R
> {
  readonly table: Table<Row, R>;
  /** Whether routing depends on these records. */
  readonly isRouted: boolean;
  readonly guard?: WriteGuard;
  describe(event: E, record: R): AuditEvent;
  /**
   * Columns whose values are unique in the org.
   *
   * @default ["name"]
   */
  readonly unique?: readonly string[];
  /**
   * The message when another record has the value.
   *
   * @default "another <label> has it already"
   */
  readonly taken?: string;
}

type Place = Pick<ReadableResourceType<never, never>, "path" | "version">;

export function listPathOf({ path }: Pick<Place, "path">): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The URL of the list that the request is for. */
export function listUrlOf(type: Place, req: Request): string {
  const path = listPathOf(type).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(req.params[name])));
  return `${getTenant(req).baseUrl}/api/${type.version ?? "v1"}${path}`;
}

export function urlOf(type: Place, req: Request, { id }: Identified): string {
  return formatPath(listUrlOf(type, req), id);
}

/** A single record as it is sent, with all links (rule L5). */
export function present<Row, R extends Identified>(type: ReadableResourceType<Row, R>, req: Request, record: R) {
  const url = urlOf(type, req, record);
  const sent = { ...(type.format?.(record) ?? record), ...type.detail?.(record) };
  return withLinks(sent, { self: formatLink(url), ...type.links?.(record, url, req) });
}

const LINK = z
  .object({
    href: z.string().meta({ format: "uri" }),
    method: z.string().exactOptional().describe("Of an operation, in lower case."),
    type: z.string().exactOptional().describe("The media type of the target, if it is not application/json."),
  })
  .meta({ id: "Link" });

type Described = Pick<ReadableResourceType<never, never>, "label" | "name" | "shape" | "relations" | "listShape">;

/** `_links` with these relations, each of which may be missing, and `self` unless `required` says otherwise. */
export function linksShape(relations: readonly string[] = [], required: readonly string[] = ["self"]): z.ZodObject {
  return z.object({
    ...Object.fromEntries(required.map((relation) => [relation, LINK])),
    ...Object.fromEntries(relations.map((relation) => [relation, LINK.exactOptional()])),
  });
}

/** A single record as {@link present} makes it. In a list it has only the link `self`. */
export function shapeOf({ label, name = label, shape, relations }: Described): NamedShape & { shape: z.ZodObject } {
  return { name, shape: shape.extend({ _links: linksShape(relations) }) };
}

/** A list of records. */
export function listShapeOf(type: Described): NamedShape {
  const { name, shape } = shapeOf(type);
  const element = shape.meta({ id: name });
  return { name: `${name}List`, shape: type.listShape?.(element) ?? z.array(element) };
}

/** `TrustedOrigin`, `TrustedOrigins` */
export function namesOf({ label, name = label }: Pick<Described, "label" | "name">): { one: string; many: string } {
  return { one: name, many: name.endsWith("y") ? name.replace(/y$/, "ies") : `${name}s` };
}

/** `API tokens`, from `ApiTokens`: words for a summary. */
export function wordsOf(name: string): string {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .replace(/^api\b/, "API");
}
