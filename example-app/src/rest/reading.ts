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
  type ReadableResourceType,
  type Right,
} from "./resource-type.js";
import { listPages } from "./list.js";
import { MAX_TOTAL, readTotal, setTotal, TOTAL } from "./total.js";
import type { ApiDependencies, Operation, Resource } from "./resource.js";

const byRevision = weakEtag({ revision: "tag" });
const byContent = weakEtag({ fields: ["record"] });

/** Entity tags of single records (rule T7). */
export function entityTag({ tag }: Pick<ReadableResourceType<never, never>, "tag">): RequestHandler {
  return tag ? byRevision : byContent;
}

/** The value from which {@link entityTag} makes the tag of a record. */
export function tagged<Row, R extends Identified>(
  { tag, content, format }: ReadableResourceType<Row, R>,
  record: R,
): object {
  return tag ? { tag: tag(record) } : { record: (content ?? format)?.(record) ?? record };
}

/** The list and the single records, only for reading. */
export function readResources<Row extends { [C in keyof Row]: CursorKey }, R extends Identified>(
  type: ReadableResourceType<Row, R>,
  dependencies: ApiDependencies,
): Resource[] {
  return [
    { path: listPathOf(type), operations: { GET: listOperation(type, dependencies) } },
    { path: type.path, operations: { GET: getOperation(type, dependencies) } },
  ];
}

/** GET of the list. */
export function listOperation<Row extends { [C in keyof Row]: CursorKey }, R extends Identified>(
  type: ReadableResourceType<Row, R>,
  { store, settings }: ApiDependencies,
): Operation {
  const { table, query = [], version = "v1", hasTotal = false } = type;
  const { many } = namesOf(type);
  const name = listPathOf(type).replace(/^.*\//, "");

  const list: RequestHandler = async (req, res) => {
    const data = store.forOrg(getTenant(req).org.id, departureOf(res));
    if (type.findParents) await data.query(async (db) => type.findParents?.(db, req));
    const page = getPage(req);
    const selection = type.select(req);
    const search = (dialect: Dialect, orgId: string) => table.search(dialect, orgId, selection);
    if (hasTotal && readTotal(req)) setTotal(res, await data.count(search, MAX_TOTAL));
    const found = await data.search(search, page);
    await nextTurn(found);
    const { rows, end } = found;
    const records = page
      .take(rows, (row) => selection.order.map(({ column }) => row[column]), end)
      .map((row) => table.toRecord(row));
    await nextTurn(found);
    const json = formatList(type.format ? records.map(type.format) : records, listUrlOf(type, req), ({ id }) => id);
    res.type("json").send(type.formatList?.(json) ?? json);
  };

  const resource = version === "v1" ? name : `${name} ${version}`;
  return {
    ...accessOf(type, "read"),
    id: `list${many}`,
    summary: `List ${wordsOf(many)}`,
    query: [...query, ...(hasTotal ? [TOTAL] : []), listPages(settings, { ...type.pages, resource })],
    sent: { content: listShapeOf(type) },
    handlers: [list],
  };
}

/** GET of one record. */
export function getOperation<Row, R extends Identified>(
  type: ReadableResourceType<Row, R>,
  { store }: Pick<ApiDependencies, "store">,
): Operation {
  const get: RequestHandler = async (req) => {
    const record = await store.forOrg(getTenant(req).org.id).query(async (db) => {
      await type.findParents?.(db, req);
      return findRecord(type, db, req);
    });
    send(type, req, record);
  };

  const { one } = namesOf(type);
  return {
    ...accessOf(type, "read"),
    id: `get${one}`,
    summary: `Get one of the ${wordsOf(namesOf(type).many)}`,
    sent: { content: shapeOf(type), isTagged: true },
    handlers: [entityTag(type), get],
  };
}

/** The record that the path names; 404 when there is none. */
export async function findRecord<Row, R extends Identified>(
  type: Pick<ReadableResourceType<Row, R>, "path" | "label" | "table" | "isVisible">,
  db: Db,
  req: Request,
  lock?: Dialect["lockRows"],
): Promise<R> {
  const { path, label, table } = type;
  const id = String(req.params[path.slice(path.lastIndexOf(":") + 1)]);
  const record = await table.find(db, getTenant(req).org.id, id, lock);
  if (!record || type.isVisible?.(req, record) === false) throw resourceNotFound(id, label);
  return record;
}

/** Send a record with its tag. `extra` are members that only this response has. */
export function send<Row, R extends Identified>(
  type: ReadableResourceType<Row, R>,
  req: Request,
  record: R,
  extra: object = {},
): void {
  getEntityTag(req).send(tagged(type, record), { ...present(type, req, record), ...extra });
}

/** Who may use the operations with this right: the scope, such as `zones.read`, and whether pages may. */
export function accessOf(
  { path, cors = [] }: Pick<ReadableResourceType<never, never>, "path" | "cors">,
  right: Right,
): Pick<Operation, "scope" | "cors"> {
  return { scope: `${String(path.split("/")[1])}.${right}`, cors: cors.includes(right) };
}

/** A record of another org gives the same error as one that doesn't exist. */
export function resourceNotFound(id: string, label: string): ApiError {
  return apiError("E0000007", { type: "resource.unknown", detail: `Resource not found: ${id} (${label})` });
}
