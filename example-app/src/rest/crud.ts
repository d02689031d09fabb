import type { Request } from "express";
import type { CursorKey } from "etiquette/pagination";
import { compileOperations } from "etiquette/links";
import type { Stamped, Status } from "../model/records.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { invalid } from "./body.js";
import { listPathOf, namesOf, type Identified, type ResourceType } from "./resource-type.js";
import { getOperation, listOperation } from "./reading.js";
import { json, type ApiDependencies, type NamedShape, type Resource } from "./resource.js";
import { createWriter, NO_CONTENT, type Draft, type Edit, type WriteOptions } from "./writing.js";

/** A record that can be activated and deactivated. */
interface SwitchedRecord extends Identified, Stamped {
  readonly status: Status;
}

export type CrudEvent = "create" | "update" | "delete" | "activate" | "deactivate";

/** The operations that each status allows. */
export const lifecycle = compileOperations<"activate" | "deactivate", Status>({
  activate: { states: ["INACTIVE"] },
  deactivate: { states: ["ACTIVE"] },
});

/** The relations that {@link lifecycle} publishes. */
export const SWITCHES = ["activate", "deactivate"] as const;

export interface CrudActions<R> {
  /** The shape of a body of {@link create}, and of {@link replace} unless that has another. */
  readonly body: NamedShape["shape"];
  readonly replacement?: NamedShape["shape"];
  create: Draft<R>;
  replace: Edit<R, R>;
  assertRemovable?(record: R, transaction: WriteTransaction, orgId: string): void | Promise<void>;
  /** @param status that the record gets */
  assertSwitchable?(
    record: R,
    status: Status,
    req: Request,
    transaction: WriteTransaction,
    orgId: string,
  ): void | Promise<void>;
  /** What operations that write records do before they look one up, and the parameters that they take. */
  readonly writes?: Pick<WriteOptions, "handlers" | "query">;
}

/** Operations to list, create, get, replace, delete, activate and deactivate records. */
export function crudResources<Row extends { [C in keyof Row]: CursorKey }, R extends SwitchedRecord>(
  type: ResourceType<Row, R, CrudEvent>,
  actions: CrudActions<R>,
  dependencies: ApiDependencies,
): Resource[] {
  const writer = createWriter(type, dependencies.store);
  const { path } = type;
  const { one } = namesOf(type);
  const bodies = json(`${one}Input`, actions.body);
  const replacements = actions.replacement ? json(`${one}Replacement`, actions.replacement) : bodies;

  const switchTo = (event: (typeof SWITCHES)[number], status: Status): Resource => ({
    path: `${path}/lifecycle/${event}`,
    operations: {
      POST: writer.change(
        (req) => async (before, transaction, orgId) => {
          await actions.assertSwitchable?.(before, status, req, transaction, orgId);
          if (!lifecycle.isAllowed(event, before.status)) throw invalid([["status", `is ${before.status} already`]]);
          return { after: { ...before, status }, event };
        },
        { verb: event, ...actions.writes },
      ),
    },
  });

  const replace = writer.change(
    (req) => {
      const edit = actions.replace(req);
      return async (...context) => ({ after: await edit(...context), event: "update" });
    },
    { verb: "replace", bodies: replacements, ...actions.writes },
  );

  const remove = writer.change(
    () =>
      async (...context) => {
        await actions.assertRemovable?.(...context);
        return { after: undefined, event: "delete" };
      },
    { verb: "delete", answer: NO_CONTENT },
  );

  return [
    {
      path: listPathOf(type),
      operations: {
        GET: listOperation(type, dependencies),
        POST: writer.create(actions.create, () => ["create"], { bodies, ...actions.writes }),
      },
    },
    { path, operations: { GET: getOperation(type, dependencies), PUT: replace, DELETE: remove } },
    switchTo("activate", "ACTIVE"),
    switchTo("deactivate", "INACTIVE"),
  ];
}
