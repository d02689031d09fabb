import type { Request, RequestHandler, Response } from "express";
import { getEntityTag } from "etiquette/weak-etag";
import { recordEvents } from "../audit/change-events.js";
import { apiError, type ApiError } from "../model/api-error.js";
import type { Stamped } from "../model/records.js";
import { findViolatedColumn } from "../store/contract/errors.js";
import type { Store } from "../store/store.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { QuotaError } from "../store/records/usage.js";
import { getTenant } from "../tenancy/tenant.js";
import { invalid } from "./body.js";
import { namesOf, shapeOf, wordsOf, type Identified, type ResourceType } from "./resource-type.js";
import { accessOf, entityTag, findRecord, send, tagged } from "./reading.js";
import type { Operation, Sent } from "./resource.js";

/** Reads a request. The function that it returns makes the new record, in the transaction that writes it. */
export type Draft<R> = (req: Request) => (transaction: WriteTransaction, orgId: string) => R | Promise<R>;

/** Reads a request. The function that it returns gets the current record and makes the change. */
export type Edit<R, T> = (req: Request) => (before: R, transaction: WriteTransaction, orgId: string) => T | Promise<T>;

/** The new state of a record, and its event in the log. */
export interface Change<R, E> {
  /** The same object when there is nothing to write; `undefined` to remove the record. */
  readonly after: R | undefined;
  readonly event: E;
}

export interface WriteOptions extends Pick<Operation, "query" | "bodies"> {
  /** What it does with a record, in its name and in its summary: `replace`, `expirePassword`. */
  verb: string;
  /** Handlers that run before the record is looked up. */
  handlers?: readonly RequestHandler[];
}

export interface ChangeOptions extends WriteOptions {
  /** @default sends the changed record */
  answer?: OtherAnswer;
}

/** A response without the changed record. */
export interface OtherAnswer {
  respond(res: Response): void;
  readonly sent: Sent;
}

/** 204 */
export const NO_CONTENT: OtherAnswer = {
  respond: (res) => void res.status(204).end(),
  sent: {},
};

/**
 * Makes the writing operations of one type of record. Each runs its preconditions (rule T4), the change and its event
 * in one transaction.
 */
// eslint-disable-next-line max-lines-per-function -- its operations share the type and the store
export function createWriter<Row, R extends Identified & Stamped, E extends string>(
  type: ResourceType<Row, R, E>,
  store: Store,
) {
  const { table, label } = type;

  return {
    write,

    create(draft: Draft<R>, eventsOf: (record: R) => readonly E[], options: Omit<WriteOptions, "verb">): Operation {
      return operation({ verb: "create", ...options }, async (req) => {
        const build = draft(req);
        const { record } = await write(req, async (transaction, orgId) => {
          getEntityTag(req).assert(undefined);
          const created = await table.insert(transaction, orgId, await build(transaction, orgId));
          return { record: created, events: eventsOf(created) };
        });
        send(type, req, record);
      });
    },

    /** @param edit returns `undefined` when nothing changes; then no event is recorded */
    change(edit: Edit<R, Change<R, E> | undefined>, { answer, ...options }: ChangeOptions): Operation {
      return operation(
        options,
        async (req, res) => {
          const apply = edit(req);
          const { record } = await write(req, async (transaction, orgId) => {
            const before = await findRecord(type, transaction.db, req, transaction.dialect.lockRows);
            getEntityTag(req).assert(tagged(type, before));
            const change = await apply(before, transaction, orgId);
            if (!change) return { record: before, events: [] };
            return { record: await save(transaction, orgId, before, change.after), events: [change.event] };
          });
          if (answer) answer.respond(res);
          else send(type, req, record);
        },
        answer?.sent,
      );
    },
  };

  function operation({ verb, handlers = [], ...rest }: WriteOptions, handler: RequestHandler, sent?: Sent): Operation {
    const { one } = namesOf(type);
    return {
      ...accessOf(type, "manage"),
      ...rest,
      ...(type.guard && { query: [...(rest.query ?? []), ...type.guard.query] }),
      ...nameOf(verb, one),
      sent: sent ?? { content: shapeOf(type), isTagged: true },
      handlers: [...handlers, entityTag(type), handler],
    };
  }

  async function save(transaction: WriteTransaction, orgId: string, before: R, after: R | undefined): Promise<R> {
    if (after === before) return before;
    if (after) return table.update(transaction, orgId, before, { ...after, lastUpdated: transaction.now });
    await table.remove(transaction, orgId, before);
    return before;
  }

  /** Run `work` and record the events of the record that it returns, in one transaction. */
  async function write<W extends { record: R; events: readonly E[] }>(
    req: Request,
    work: (transaction: WriteTransaction, orgId: string) => Promise<W>,
  ): Promise<W> {
    const { org } = getTenant(req);
    try {
      return await store.forOrg(org.id).write(async (transaction) => {
        if (type.isRouted) await transaction.touch(org.id);
        const parents = (await type.findParents?.(transaction.db, req)) ?? [];
        const finish = await type.guard?.begin(req, transaction, org.id);
        const written = await work(transaction, org.id);
        await finish?.();
        const events = written.events.map((event) => type.describe(event, written.record));
        const told = events.map(({ target, ...event }) => ({ ...event, target: [...target, ...parents] }));
        if (told.length > 0) await recordEvents(req, transaction, told);
        return written;
      });
    } catch (error) {
      if (error instanceof QuotaError) throw quotaExceeded(error);
      const column = findViolatedColumn(error, table.name);
      if (column === undefined || !(type.unique ?? ["name"]).includes(column)) throw error;
      throw invalid([[column, type.taken ?? `another ${label} has it already`]]);
    }
  }
}

/** `expireUserPassword`, from `expirePassword` and `User`; `Expire password of a user`. */
function nameOf(verb: string, one: string): Pick<Operation, "id" | "summary"> {
  const [first = "", ...rest] = verb.split(/(?=[A-Z])/);
  const object = wordsOf(rest.join(""));
  const article = /^[AEIO]/.test(one) ? "an" : "a";
  const summary = `${first.charAt(0).toUpperCase()}${first.slice(1)} ${object === "" ? "" : `the ${object} of `}${article} ${wordsOf(one)}`;
  return { id: `${first}${one}${rest.join("")}`, summary };
}

export function quotaExceeded({ message, excess }: QuotaError): ApiError {
  const remedy = "Remove some, or ask the operator of the server for a higher quota.";
  const detail = `the quota ${excess.quota} of the org is used up`;
  return apiError("E0000195", { type: "quota.exceeded", detail, causes: [`${excess.quota}: ${message}. ${remedy}`] });
}
