import type { Request, RequestHandler } from "express";
import { formatLink, formatPath, withLinks, type Link } from "etiquette/links";
import type { AuditEvent } from "../audit/change-events.js";
import type { LogEntity, Stamped } from "../model/records.js";
import type { Db } from "../store/schema.js";
import type { ReadableTable, Selection, Table } from "../store/table.js";
import { getTenant } from "../tenancy/tenant.js";
import type { ListOptions } from "./list.js";

/** What a kind of record is called. */
export interface KindName {
  /** One of them, in errors and in the log: `TrustedOrigin`. */
  readonly label: string;
  /** One of them below `/api/<version>`, in the words of Express: `/zones/:id`. Its first segment is in scopes. */
  readonly path: string;
  /** @default "v1" */
  readonly version?: "v1" | "v2";
}

interface Identified {
  readonly id: string;
}

/** What sets one kind of record apart where it is read. `Row` is a row of the table, `R` the record in it. */
export interface ReadableKind<Row, R extends Identified> extends KindName {
  readonly table: ReadableTable<Row, R>;
  /** Runs before the list is read, such as `queryParameters`. */
  readonly listHandlers?: readonly RequestHandler[];
  readonly pages?: Readonly<Omit<ListOptions, "resource">>;
  /** Which records a list has. Throws when the query asks for what can't be. */
  select(req: Request): Selection<Row>;
  /** The records that one belongs to, for the log. Throws when the path names what the org has not. */
  findParents?(db: Db, req: Request): Promise<LogEntity[]>;
  /**
   * The record as it goes on the wire, without links.
   *
   * @default the record as it is
   */
  readonly format?: (record: R) => Identified;
  /** The JSON of a list, of that of its elements. */
  formatList?(elements: string): string;
  /** Links beside `self`, which is `url`. */
  links?(record: R, url: string, req: Request): Readonly<Record<string, Link | undefined>>;
  /** What the entity tag is made of: another text for each state of each record. Without it there are no tags. */
  tag?(record: R): string;
}

/** What sets one kind of record apart where it is written too. `E` names what can happen to it, for the log. */
export interface Kind<Row, R extends Identified & Stamped, E extends string> extends ReadableKind<Row, R> {
  readonly table: Table<Row, R>;
  /** Whether routing depends on it. */
  readonly isRouted: boolean;
  describe(event: E, record: R): AuditEvent;
  /**
   * Columns whose value no other record of the org has.
   *
   * @default ["name"]
   */
  readonly unique?: readonly string[];
  /**
   * What is said of a value that another record has.
   *
   * @default "another <label> has it already"
   */
  readonly taken?: string;
}

export function listPathOf({ path }: Pick<KindName, "path">): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** The URL of the list whose records the request is about. */
export function listUrlOf(kind: Pick<KindName, "path" | "version">, req: Request): string {
  const path = listPathOf(kind).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(req.params[name])));
  return `${getTenant(req).baseUrl}/api/${kind.version ?? "v1"}${path}`;
}

export function urlOf(kind: Pick<KindName, "path" | "version">, req: Request, { id }: Identified): string {
  return formatPath(listUrlOf(kind, req), id);
}

/** The record as it goes on the wire alone, with all links (rule L5). */
export function present<Row, R extends Identified>(kind: ReadableKind<Row, R>, req: Request, record: R) {
  const url = urlOf(kind, req, record);
  return withLinks(kind.format?.(record) ?? record, { self: formatLink(url), ...kind.links?.(record, url, req) });
}
