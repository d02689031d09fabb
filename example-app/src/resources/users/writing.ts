import { isDeepStrictEqual } from "node:util";
import type { Request } from "express";
import { patch, getPatch, PATCH_TYPES } from "etiquette/patch";
import { getQuery, queryParameters } from "etiquette/query-parameters";
import { z } from "zod";
import type { UserEvent } from "../../audit/describe-change.js";
import { createId } from "../../model/ids.js";
import type { User } from "../../model/records.js";
import { USER_SHAPE } from "../../model/shapes.js";
import { assertOneOf, parseBody } from "../../rest/body.js";
import type { Kind } from "../../rest/kind.js";
import { createWriter, noContent, type Change, type Draft, type Edit } from "../../rest/writing.js";
import type { ListedUserRow } from "../../store/schema.js";
import type { Store } from "../../store/store.js";
import type { StoredUser } from "../../store/users.js";
import { applyOperation, type UserOperation } from "./lifecycle.js";
import { USERS_V1 } from "./views.js";

/** Members that only the server sets. */
const READ_ONLY = ["/id", "/status", "/created", "/activated", "/statusChanged", "/lastLogin", "/lastUpdated"];

/** A body can't set status, dates and id. They are ignored like unknown members. */
const SHAPE = z.strictObject({ profile: USER_SHAPE.shape.profile });

const CHANGES = z.strictObject({ profile: z.looseObject({}).exactOptional() });

type Profile = User["profile"];

type UserEdit = Edit<StoredUser, Change<StoredUser, UserEvent> | undefined>;

/** The operations that write users. */
export function createUserWriters(kind: Kind<ListedUserRow, StoredUser, UserEvent>, store: Store) {
  const writer = createWriter(kind, store);

  return {
    create: writer.create(draftUser, ({ activated }) => (activated === null ? ["create"] : ["create", "activate"]), {
      handlers: [queryParameters({ single: ["activate"] })],
    }),

    update: writer.change(editProfile((req, { profile }) => mergeProfile(profile, req.body))),

    replace: writer.change(editProfile((req) => parseProfile(req.body))),

    patch: writer.change(editProfile(patchProfile), {
      consumes: PATCH_TYPES,
      handlers: [patch({ readOnly: READ_ONLY })],
    }),

    operate: (operation: UserOperation) =>
      writer.change(
        () =>
          (user, { now }) => ({ after: applyOperation(operation, user, now), event: operation }),
        { respond: (res) => res.json({}) },
      ),

    remove: writer.change(
      () =>
        (user, { now }) =>
          user.status === "DEPROVISIONED"
            ? { after: undefined, event: "delete" }
            : { after: applyOperation("deactivate", user, now), event: "deactivate" },
      { respond: noContent },
    ),
  };
}

const draftUser: Draft<StoredUser> = (req) => {
  const isActive = readActivate(req);
  const profile = parseProfile(req.body);
  return ({ now }) => ({
    id: createId(),
    status: isActive ? "ACTIVE" : "STAGED",
    created: now,
    activated: isActive ? now : null,
    statusChanged: isActive ? now : null,
    lastLogin: null,
    lastUpdated: now,
    profile,
    revision: 1,
  });
};

/** Write the profile that `edit` returns, unless it is unchanged. 404 and 412 come before faults of the body. */
function editProfile(edit: (req: Request, user: User) => Profile): UserEdit {
  return (req) => (user) => {
    const profile = edit(req, user);
    return isDeepStrictEqual(profile, user.profile) ? undefined : { after: { ...user, profile }, event: "update" };
  };
}

function patchProfile(req: Request, user: User): Profile {
  // null and absent mean the same: a client may send back what it received
  const document = Object.fromEntries(
    Object.entries<unknown>(USERS_V1.format(user)).filter(([, value]) => value !== null),
  );
  const { profile } = getPatch(req).apply(document) as { profile?: unknown };
  return parseProfile({ profile });
}

function readActivate(req: Request): boolean {
  const activate = getQuery(req).get("activate") ?? "true";
  assertOneOf("activate", activate, ["true", "false"]);
  return activate === "true";
}

/**
 * The whole profile in a body. Members that are null count as absent.
 *
 * @throws {ApiError} E0000003 or E0000001, see {@link parseBody}
 */
function parseProfile(body: unknown): Profile {
  return parseBody(SHAPE, body).profile;
}

/**
 * Merge the profile in a body into `profile`. Members that are null are removed.
 *
 * @throws {ApiError} as {@link parseProfile}, also when the result lacks a required member
 */
function mergeProfile(profile: Profile, body: unknown): Profile {
  parseBody(CHANGES, body);
  const { profile: changes } = body as { profile?: object | null };
  return parseProfile({ profile: { ...profile, ...changes } });
}
