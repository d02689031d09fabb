import type { Request, RequestHandler } from "express";
import { compileOperations, formatLink, formatList, formatPath, withLinks, type Link } from "etiquette/links";
import { getPage } from "etiquette/pagination";
import { getQuery, queryParameters } from "etiquette/query-parameters";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { z } from "zod";
import { getAudit } from "../audit/audit.js";
import { ApiError } from "../model/api-error.js";
import { createId, ID_REGEXP } from "../model/ids.js";
import type { LogEntity, Stamped, Status } from "../model/records.js";
import { findViolatedColumn } from "../store/errors.js";
import { selectPage } from "../store/pages.js";
import type { Tables } from "../store/schema.js";
import type { Store } from "../store/store.js";
import type { WriteTransaction } from "../store/transaction.js";
import { getTenant } from "../tenancy/tenant.js";
import { invalid, parseBody } from "./body.js";
import { listPages } from "./list.js";
import type { ApiSettings, Resource } from "./resource.js";

/** A record of an org that has a name and can be switched off. */
export interface NamedRecord extends Stamped {
  id: string;
  name: string;
  status: Status;
}

type RecordTable = "idps" | "zones" | "trusted_origins";

/** The longest `q`, in characters. */
const MAX_QUERY_LENGTH = 128;

/** No name holds one, and PostgreSQL takes no NUL. */
const CONTROL_REGEXP = /\p{Cc}/u;

/** What sets one kind of {@link NamedRecord} apart. */
export interface RecordKind<
  R extends NamedRecord,
  Row extends Tables[RecordTable],
  Values extends { status?: Status },
> {
  /** In URLs and scopes: `trustedOrigins`. */
  readonly name: string;
  readonly table: RecordTable;
  /** One of them in errors and in the log: `TrustedOrigin`. */
  readonly label: string;
  /** What its events begin with: `security.trusted_origin`. */
  readonly eventType: string;
  readonly shape: z.ZodType<Values>;
  /** The members that a body gives, with defaults. */
  build(values: Values): Omit<R, "id" | "status" | keyof Stamped>;
  toRecord(row: Row): R;
  fromRecord(orgId: string, record: R): Row;
  /** Links beside `self` and the lifecycle; `url` is that of the record. */
  links?(record: R, url: string): Record<string, Link | undefined>;
  /** Further conditions of a list, beside `q`. */
  select?(req: Request): RawBuilder<SqlBool>[];
  /** Throws when the record can't become `after`, or can't be removed when that is `undefined`. */
  assertChange?(
    transaction: WriteTransaction,
    orgId: string,
    before: R | undefined,
    after: R | undefined,
  ): Promise<void>;
}

export const lifecycle = compileOperations<"activate" | "deactivate", Status>({
  activate: { states: ["INACTIVE"] },
  deactivate: { states: ["ACTIVE"] },
});

/** List, create, get, replace, delete, activate and deactivate. */
export function recordResources<R extends NamedRecord, Row extends Tables[RecordTable], V extends { status?: Status }>(
  kind: RecordKind<R, Row, V>,
  { store, settings }: Readonly<{ store: Store; settings: ApiSettings }>,
): Resource[] {
  const { name, table, label, shape } = kind;
  const read = `${name}.read`;
  const manage = `${name}.manage`;

  const list: RequestHandler = async (req, res) => {
    const { org, baseUrl } = getTenant(req);
    const page = getPage(req);
    const conditions = [sql<SqlBool>`org_id = ${org.id}`, ...selectByName(store, req), ...(kind.select?.(req) ?? [])];
    const query = store.reader
      .selectFrom(table as "zones")
      .selectAll()
      .where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`);
    const rows = await selectPage(query, page, [{ column: "name" }]).execute();
    const found = page.take(rows, (row) => [row.name]);
    const records = found.map((row) => kind.toRecord(row as unknown as Row));
    res.type("json").send(formatList(records, listUrl(baseUrl), ({ id }) => id));
  };

  const create: RequestHandler = async (req, res) => {
    const values = parseBody(shape, req.body);
    const { org } = getTenant(req);
    const record = await write(req, "create", async (transaction) => {
      await transaction.touch(org.id);
      const stamps = { created: transaction.now, lastUpdated: transaction.now };
      const created = {
        ...kind.build(values),
        id: createId(),
        status: values.status ?? "ACTIVE",
        ...stamps,
      } as unknown as R;
      await kind.assertChange?.(transaction, org.id, undefined, created);
      await transaction.db
        .insertInto(table as "zones")
        .values(kind.fromRecord(org.id, created) as Tables["zones"])
        .execute();
      return created;
    });
    res.json(present(req, record));
  };

  const get: RequestHandler = async (req, res) => {
    res.json(present(req, await find(store.reader, req)));
  };

  const replace: RequestHandler = async (req, res) => {
    const values = parseBody(shape, req.body);
    const record = await change(req, "update", (before) => ({
      ...before,
      ...kind.build(values),
      status: values.status ?? before.status,
    }));
    res.json(present(req, record));
  };

  const remove: RequestHandler = async (req, res) => {
    const { org } = getTenant(req);
    await write(req, "delete", async (transaction) => {
      await transaction.touch(org.id);
      const before = await find(transaction.db, req);
      await kind.assertChange?.(transaction, org.id, before, undefined);
      await transaction.db.deleteFrom(table).where("org_id", "=", org.id).where("id", "=", before.id).execute();
      return before;
    });
    res.status(204).end();
  };

  const switchTo =
    (operation: "activate" | "deactivate", status: Status): RequestHandler =>
    async (req, res) => {
      const record = await change(req, operation, (before) => {
        if (!lifecycle.isAllowed(operation, before.status)) throw invalid([["status", `is ${before.status} already`]]);
        return { ...before, status };
      });
      res.json(present(req, record));
    };

  return [
    {
      path: `/${name}`,
      operations: {
        GET: {
          scope: read,
          handlers: [queryParameters({ single: ["q", "type"] }), listPages(settings, { resource: name }), list],
        },
        POST: { scope: manage, handlers: [create] },
      },
    },
    {
      path: `/${name}/:id`,
      operations: {
        GET: { scope: read, handlers: [get] },
        PUT: { scope: manage, handlers: [replace] },
        DELETE: { scope: manage, handlers: [remove] },
      },
    },
    {
      path: `/${name}/:id/lifecycle/activate`,
      operations: { POST: { scope: manage, handlers: [switchTo("activate", "ACTIVE")] } },
    },
    {
      path: `/${name}/:id/lifecycle/deactivate`,
      operations: { POST: { scope: manage, handlers: [switchTo("deactivate", "INACTIVE")] } },
    },
  ];

  function change(req: Request, operation: string, edit: (before: R) => R): Promise<R> {
    const { org } = getTenant(req);
    return write(req, operation, async (transaction) => {
      await transaction.touch(org.id);
      const before = await find(transaction.db, req);
      const after = { ...edit(before), lastUpdated: transaction.now };
      await kind.assertChange?.(transaction, org.id, before, after);
      await transaction.db
        .updateTable(table as "zones")
        .set(kind.fromRecord(org.id, after) as Tables["zones"])
        .where("org_id", "=", org.id)
        .where("id", "=", after.id)
        .execute();
      return after;
    });
  }

  /** Do `work`, and say so in the log, in one transaction. */
  async function write(
    req: Request,
    operation: string,
    work: (transaction: WriteTransaction) => Promise<R>,
  ): Promise<R> {
    try {
      return await store.write(async (transaction) => {
        const record = await work(transaction);
        await getAudit(req).record(transaction, {
          eventType: `${kind.eventType}.${operation}`,
          displayMessage: `${operation.charAt(0).toUpperCase()}${operation.slice(1)} ${label}`,
          target: [toLogEntity(record, label)],
        });
        return record;
      });
    } catch (error) {
      const column = findViolatedColumn(error, table);
      if (column !== undefined) throw invalid([[column, `another ${label} has it already`]]);
      throw error;
    }
  }

  async function find(db: Store["reader"], req: Request): Promise<R> {
    const id = String(req.params["id"]);
    assertId(id, label);
    const row = await db
      .selectFrom(table as "zones")
      .selectAll()
      .where("org_id", "=", getTenant(req).org.id)
      .where("id", "=", id)
      .executeTakeFirst();
    if (!row) throw resourceNotFound(id, label);
    return kind.toRecord(row as unknown as Row);
  }

  function present(req: Request, record: R) {
    const url = urlOf(getTenant(req).baseUrl, record);
    return withLinks(record, {
      self: formatLink(url),
      ...kind.links?.(record, url),
      ...lifecycle.format(record.status, `${url}/lifecycle`),
    });
  }

  function urlOf(baseUrl: string, { id }: R): string {
    return formatPath(listUrl(baseUrl), id);
  }

  function listUrl(baseUrl: string): string {
    return `${baseUrl}/api/v1/${name}`;
  }
}

export function toLogEntity({ id, name }: Readonly<{ id: string; name: string }>, type: string): LogEntity {
  return { id, type, alternateId: name, displayName: name, detailEntry: null };
}

/** What can be no id is not looked for: it may hold what a database does not take. */
export function assertId(id: string, label: string): void {
  if (!ID_REGEXP.test(id)) throw resourceNotFound(id, label);
}

/** What another org has is not there, in the same words as what nobody has. */
export function resourceNotFound(id: string, label: string): ApiError {
  return new ApiError("E0000007", { type: "resource.unknown", detail: `Resource not found: ${id} (${label})` });
}

function selectByName({ dialect }: Store, req: Request): RawBuilder<SqlBool>[] {
  const text = getQuery(req).get("q");
  if (text === undefined || text === "") return [];
  if (text.length > MAX_QUERY_LENGTH) {
    throw invalid([["q", `has ${text.length} characters; at most ${MAX_QUERY_LENGTH} are allowed`]]);
  }
  if (CONTROL_REGEXP.test(text)) throw invalid([["q", "holds a control character"]]);
  return [dialect.contains(sql`lower(name)`, lowerAscii(text))];
}

/** As both databases do where text is compared by bytes. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
