import { isDeepStrictEqual } from "node:util";
import type { Request, RequestHandler } from "express";
import { getPatch } from "etiquette/patch";
import { getQuery } from "etiquette/query-parameters";
import { getEntityTag } from "etiquette/weak-etag";
import { recordEvents } from "../../audit/change-events.js";
import { excerpt } from "../../model/faults.js";
import { createId } from "../../model/ids.js";
import type { User } from "../../model/records.js";
import { invalid } from "../../rest/body.js";
import { resourceNotFound } from "../../rest/reading.js";
import { findViolatedColumn } from "../../store/errors.js";
import { toUser } from "../../store/rows.js";
import type { UserRow } from "../../store/schema.js";
import type { Store } from "../../store/store.js";
import type { WriteTransaction } from "../../store/transaction.js";
import { deleteUser, insertUser, lockUser, updateUser } from "../../store/users.js";
import { getTenant } from "../../tenancy/tenant.js";
import { describeUserEvent, type UserEvent } from "./events.js";
import { applyOperation, type UserOperation } from "./lifecycle.js";
import { mergeProfile, parseProfile } from "./profile.js";
import { tagOf } from "./reading.js";
import { formatUserInFull, USERS_V1 } from "./views.js";

/** What becomes of a user, and the event that tells of it; `undefined` when nothing does. */
type Change = Readonly<{ user: User; event: UserEvent }> | undefined;

/**
 * What answers requests that write users. Preconditions, the check of the status and the write are one step: the row is
 * locked from when it is read (rule T4).
 */
export function createWriters(store: Store) {
  const create: RequestHandler = async (req) => {
    const isActive = readActivate(req);
    const profile = parseProfile(req.body);
    const row = await write(async (transaction) => {
      const { now } = transaction;
      getEntityTag(req).assert(undefined);
      const user: User = {
        id: createId(),
        status: isActive ? "ACTIVE" : "STAGED",
        created: now,
        activated: isActive ? now : null,
        statusChanged: isActive ? now : null,
        lastLogin: null,
        lastUpdated: now,
        profile,
      };
      const inserted = await insertUser(transaction, getTenant(req).org.id, user);
      await record(req, transaction, user, "create", ...(isActive ? (["activate"] as const) : []));
      return inserted;
    });
    send(req, row);
  };

  const update = writeProfile((req, { profile }) => mergeProfile(profile, req.body));

  const replace = writeProfile((req) => parseProfile(req.body));

  const patchProfile = writeProfile((req, user) => {
    // null and absent are one: a client may send back what it got
    const document = Object.fromEntries(Object.entries(user).filter(([, value]) => value !== null));
    const { profile } = getPatch(req).apply(document) as { profile?: unknown };
    return parseProfile({ profile });
  });

  const operate =
    (operation: UserOperation): RequestHandler =>
    async (req, res) => {
      await change(req, (user, now) => ({ user: applyOperation(operation, user, now), event: operation }));
      res.json({});
    };

  const remove: RequestHandler = async (req, res) => {
    await write(async (transaction) => {
      const row = await find(req, transaction);
      const user = toUser(row);
      if (user.status === "DEPROVISIONED") {
        await deleteUser(transaction, row);
        await record(req, transaction, user, "delete");
      } else {
        await updateUser(transaction, row, applyOperation("deactivate", user, transaction.now));
        await record(req, transaction, user, "deactivate");
      }
    });
    res.status(204).end();
  };

  return { create, update, replace, patch: patchProfile, operate, remove };

  /** Write the profile that `edit` makes, unless it is the one that is there. 404 and 412 go before faults of the body. */
  function writeProfile(edit: (req: Request, user: User) => User["profile"]): RequestHandler {
    return async (req) => {
      const row = await change(req, (user, now) => {
        const profile = edit(req, user);
        if (isDeepStrictEqual(profile, user.profile)) return undefined;
        return { user: { ...user, profile, lastUpdated: now }, event: "update" };
      });
      send(req, row);
    };
  }

  function change(req: Request, edit: (user: User, now: string) => Change): Promise<UserRow> {
    return write(async (transaction) => {
      const row = await find(req, transaction);
      const before = toUser(row);
      const changed = edit(before, transaction.now);
      if (!changed) return row;
      const { user, event } = changed;
      const after = user === before ? row : await updateUser(transaction, row, user);
      await record(req, transaction, user, event);
      return after;
    });
  }

  async function write<T>(work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    try {
      return await store.write(work);
    } catch (error) {
      if (findViolatedColumn(error, "users") !== "login") throw error;
      throw invalid([["login", "An object with this field already exists in the current organization"]]);
    }
  }
}

/** The user of the path, in the state that the request asks for; it stays so until the transaction ends. */
async function find(req: Request, transaction: WriteTransaction): Promise<UserRow> {
  const id = String(req.params["id"]);
  const row = await lockUser(transaction, getTenant(req).org.id, id);
  if (!row) throw resourceNotFound(id, "User");
  getEntityTag(req).assert(tagOf(row));
  return row;
}

async function record(
  req: Request,
  transaction: WriteTransaction,
  user: User,
  ...events: readonly UserEvent[]
): Promise<void> {
  await recordEvents(
    req,
    transaction,
    events.map((event) => describeUserEvent(event, user)),
  );
}

function send(req: Request, row: UserRow): void {
  getEntityTag(req).send(tagOf(row), formatUserInFull(USERS_V1, getTenant(req).baseUrl, toUser(row)));
}

function readActivate(req: Request): boolean {
  const activate = getQuery(req).get("activate") ?? "true";
  if (activate !== "true" && activate !== "false") {
    throw invalid([["activate", `must be true or false, not ${excerpt(activate)}`]]);
  }
  return activate === "true";
}
