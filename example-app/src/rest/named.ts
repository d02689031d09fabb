import type { Request } from "express";
import { getQuery } from "etiquette/query-parameters";
import type { CursorKey } from "etiquette/pagination";
import { z } from "zod";
import type { AuditEvent } from "../audit/change-events.js";
import { createId } from "../model/ids.js";
import type { Stamped, Status } from "../model/records.js";
import { assertText, parseBody } from "./body.js";
import { crudResources, lifecycle, SWITCHES, type CrudActions, type CrudEvent } from "./crud.js";
import type { ResourceType } from "./resource-type.js";
import { plainParameters, type QueryParameter } from "./query.js";
import type { ApiDependencies, Resource } from "./resource.js";

/** The longest `q`, in characters. */
const MAX_QUERY_LENGTH = 128;

/** A record of an org that has a name and can be activated and deactivated. */
export interface NamedRecord extends Stamped {
  readonly id: string;
  readonly name: string;
  readonly status: Status;
}

/** The members that the server sets, not the body of a request. */
type Base = Pick<NamedRecord, "id" | "status" | keyof Stamped>;

/** The description of one type of {@link NamedRecord}. */
export interface NamedResourceType<Row, R extends NamedRecord, Values>
  extends
    Pick<
      ResourceType<Row, R, CrudEvent>,
      | "label"
      | "path"
      | "cors"
      | "table"
      | "unique"
      | "guard"
      | "links"
      | "relations"
      | "shape"
      | "format"
      | "detail"
      | "content"
    >,
    Pick<CrudActions<R>, "assertRemovable"> {
  describe(event: CrudEvent, record: NamedRecord): AuditEvent;
  /** The shape of a body. */
  readonly body: z.ZodType<Values>;
  readonly build: (values: Values, base: Base, context: Readonly<{ before?: R; now: string }>) => R;
  /** Operations that only these records have. */
  more?(type: ResourceType<Row, R, CrudEvent>): Resource[];
  /** The parameters of {@link equals}. */
  readonly parameters?: Readonly<Record<string, QueryParameter>>;
  /** Conditions of a list in addition to `q`. */
  equals?(req: Request): Partial<Row>;
  assertReplaceable?(before: R, after: R): void;
}

/** Operations to list, create, get, replace, delete, activate and deactivate records with a name. */
export function namedResources<
  Row extends { name: string } & { [C in keyof Row]: CursorKey },
  R extends NamedRecord,
  Values extends { status?: Status },
>(type: NamedResourceType<Row, R, Values>, dependencies: ApiDependencies): Resource[] {
  const { body: shape, build, parameters } = type;
  const described: ResourceType<Row, R, CrudEvent> = {
    ...type,
    isRouted: true,
    query: [plainParameters({ q: NAME_PARAMETER, ...parameters })],
    pages: { context: (req) => ({ filter: JSON.stringify([readName(req), type.equals?.(req)]) }) },
    select: (req) => ({ order: [{ column: "name" }], name: readName(req), equals: type.equals?.(req) }),
    links: (record, url, req) => ({
      ...type.links?.(record, url, req),
      ...lifecycle.format(record.status, `${url}/lifecycle`),
    }),
    relations: [...SWITCHES, ...(type.relations ?? [])],
  };
  const actions: CrudActions<R> = {
    ...type,
    create(req) {
      const values = parseBody(shape, req.body);
      return ({ now }) =>
        build(values, { id: createId(), status: values.status ?? "ACTIVE", created: now, lastUpdated: now }, { now });
    },
    replace(req) {
      const values = parseBody(shape, req.body);
      return (before, { now }) => {
        const { id, status, created, lastUpdated } = before;
        const base = { id, status: values.status ?? status, created, lastUpdated };
        const after = { ...before, ...build(values, base, { before, now }) };
        type.assertReplaceable?.(before, after);
        return after;
      };
    },
  };
  return [...crudResources(described, actions, dependencies), ...(type.more?.(described) ?? [])];
}

/** The parameter of {@link readName}. */
export const NAME_PARAMETER: QueryParameter = {
  shape: z.string().max(MAX_QUERY_LENGTH),
  description: "Only those whose name contains this text.",
  isText: true,
};

/**
 * The text in `q`.
 *
 * @throws {ApiError} E0000001 when it is too long or has a control character
 */
export function readName(req: Request): string | undefined {
  const text = getQuery(req).get("q");
  if (text === undefined || text === "") return undefined;
  assertText("q", text, MAX_QUERY_LENGTH);
  return text;
}
