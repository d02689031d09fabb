import type { Request, RequestHandler } from "express";
import { formatList } from "etiquette/links";
import { getPage, type CursorKey } from "etiquette/pagination";
import { getEntityTag, weakEtag } from "etiquette/weak-etag";
import { apiError, type ApiError } from "../model/api-error.js";
import type { Dialect } from "../store/contract/dialect.js";
import type { Db } from "../store/contract/schema.js";
import { nextTurn } from "../store/lists/search.js";
import { getTenant } from "../tenancy/tenant.js";
import { departureOf } from "../pace/departure.js";
import {
  listPathOf,
  listShapeOf,
  listUrlOf,
  namesOf,
  present,
  shapeOf,
  wordsOf,
  type Identified,
  type ReadableKind,
  type Right,
} from "./kind.js";
import { listPages } from "./list.js";
import type { ApiDependencies, Operation, Resource } from "./resource.js";

const byRevision = weakEtag({ revision: "tag" });
const byContent = weakEtag({ fields: ["record"] });

/** Entity tags of single records (rule T7). */
export function entityTag({ tag }: Pick<ReadableKind<never, never>, "tag">): RequestHandler {
  return tag ? byRevision : byContent;
}

/** The value from which {@link entityTag} makes the tag of a record. */
export function tagged<Row, R extends Identified>({ tag, format }: ReadableKind<Row, R>, record: R): object {
  return tag ? { tag: tag(record) } : { record: format?.(record) ?? record };
}

/** The list and the single records, only for reading. */
export function readResources<Row extends { [C in keyof Row]: CursorKey }, R extends Identified>(
  kind: ReadableKind<Row, R>,
  dependencies: ApiDependencies,
): Resource[] {
  return [
    { path: listPathOf(kind), operations: { GET: listOperation(kind, dependencies) } },
    { path: kind.path, operations: { GET: getOperation(kind, dependencies) } },
  ];
}

/** GET of the list. */
export function listOperation<Row extends { [C in keyof Row]: CursorKey }, R extends Identified>(
  kind: ReadableKind<Row, R>,
  { store, settings }: ApiDependencies,
): Operation {
  const { table, query = [], version = "v1" } = kind;
  const { many } = namesOf(kind);
  const name = listPathOf(kind).replace(/^.*\//, "");

  const list: RequestHandler = async (req, res) => {
    const data = store.forOrg(getTenant(req).org.id, departureOf(res));
    if (kind.findParents) await data.query(async (db) => kind.findParents?.(db, req));
    const page = getPage(req);
    const selection = kind.select(req);
    const found = await data.search((dialect, orgId) => table.search(dialect, orgId, selection), page);
    await nextTurn(found);
    const { rows, end } = found;
    const records = page
      .take(rows, (row) => selection.order.map(({ column }) => row[column]), end)
      .map((row) => table.toRecord(row));
    await nextTurn(found);
    const json = formatList(kind.format ? records.map(kind.format) : records, listUrlOf(kind, req), ({ id }) => id);
    res.type("json").send(kind.formatList?.(json) ?? json);
  };

  const resource = version === "v1" ? name : `${name} ${version}`;
  return {
    ...accessOf(kind, "read"),
    id: `list${many}`,
    summary: `List ${wordsOf(many)}`,
    query: [...query, listPages(settings, { ...kind.pages, resource })],
    sent: { content: listShapeOf(kind) },
    handlers: [list],
  };
}

/** GET of one record. */
export function getOperation<Row, R extends Identified>(
  kind: ReadableKind<Row, R>,
  { store }: Pick<ApiDependencies, "store">,
): Operation {
  const get: RequestHandler = async (req) => {
    const record = await store.forOrg(getTenant(req).org.id).query(async (db) => {
      await kind.findParents?.(db, req);
      return findRecord(kind, db, req);
    });
    send(kind, req, record);
  };

  const { one } = namesOf(kind);
  return {
    ...accessOf(kind, "read"),
    id: `get${one}`,
    summary: `Get one of the ${wordsOf(namesOf(kind).many)}`,
    sent: { content: shapeOf(kind), isTagged: true },
    handlers: [entityTag(kind), get],
  };
}

/** The record that the path names; 404 when there is none. */
export async function findRecord<Row, R extends Identified>(
  kind: Pick<ReadableKind<Row, R>, "path" | "label" | "table" | "isVisible">,
  db: Db,
  req: Request,
  lock?: Dialect["lockRows"],
): Promise<R> {
  const { path, label, table } = kind;
  const id = String(req.params[path.slice(path.lastIndexOf(":") + 1)]);
  const record = await table.find(db, getTenant(req).org.id, id, lock);
  if (!record || kind.isVisible?.(req, record) === false) throw resourceNotFound(id, label);
  return record;
}

/** Send a record with its tag. `extra` are members that only this response has. */
export function send<Row, R extends Identified>(
  kind: ReadableKind<Row, R>,
  req: Request,
  record: R,
  extra: object = {},
): void {
  getEntityTag(req).send(tagged(kind, record), { ...present(kind, req, record), ...extra });
}

/** Who may use the operations with this right: the scope, such as `zones.read`, and whether pages may. */
export function accessOf(
  { path, cors = [] }: Pick<ReadableKind<never, never>, "path" | "cors">,
  right: Right,
): Pick<Operation, "scope" | "cors"> {
  return { scope: `${String(path.split("/")[1])}.${right}`, cors: cors.includes(right) };
}

/** A record of another org gives the same error as one that doesn't exist. */
export function resourceNotFound(id: string, label: string): ApiError {
  return apiError("E0000007", { type: "resource.unknown", detail: `Resource not found: ${id} (${label})` });
}
