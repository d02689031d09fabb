import { isDeepStrictEqual } from "node:util";
import type { Request, Response } from "express";
import { patch, getPatch, PATCH_TYPES } from "etiquette/patch";
import { getQuery } from "etiquette/query-parameters";
import { z } from "zod";
import type { UserEvent } from "../../audit/describe-change.js";
import { createId } from "../../model/ids.js";
import type { User } from "../../model/records.js";
import { findHiddenMembers, findLengthFault } from "../../model/user-shapes.js";
import { assertOneOf, invalid, isObject, parseBody, withoutNulls } from "../../rest/body.js";
import { plainParameters } from "../../rest/query.js";
import { json } from "../../rest/resource.js";
import { createWriter, NO_CONTENT, type Change, type Draft, type Edit } from "../../rest/writing.js";
import type { Store } from "../../store/store.js";
import type { StoredUser } from "../../store/records/users.js";
import { applyOperation, type UserOperation } from "./lifecycle.js";
import { JSON_PATCH_SHAPE } from "./shapes.js";
import type { UserType } from "./user-type.js";
import type { UserView } from "./views.js";

/** Members that only the server sets. */
const READ_ONLY = ["/id", "/status", "/created", "/activated", "/statusChanged", "/lastLogin", "/lastUpdated"];

type Profile = User["profile"];

/**
 * The profile in a body.
 *
 * @throws {ApiError} E0000001 with a cause for each wrong member, or when it is too long; texts with characters that nobody
 *   sees may stay as they were in `before`, and a profile that was too long may stay so without growing
 */
type ProfileParser = (body: unknown, before?: Profile) => Profile;

type UserEdit = Edit<StoredUser, Change<StoredUser, UserEvent> | undefined>;

const [JSON_PATCH, MERGE_PATCH] = PATCH_TYPES;

const ACTIVATE = ["true", "false"] as const;

/** What lifecycle operations send. */
const EMPTY = {
  respond: (res: Response) => void res.json({}),
  sent: { content: { name: "Empty", shape: z.object({}) } },
};

/** The operations that write users. */
export function createUserWriters(type: UserType, view: UserView, store: Store) {
  const { format, body: shape, changes } = view;
  const writer = createWriter(type, store);
  const bodies = json("UserInput", shape);
  const partial = { name: "UserChanges", shape: changes };
  const parse = createProfileParser(view);

  return {
    create: writer.create(
      draftUser(parse),
      ({ activated }) => (activated === null ? ["create"] : ["create", "activate"]),
      {
        bodies,
        query: [
          plainParameters({
            activate: {
              shape: z.enum(ACTIVATE).meta({ default: ACTIVATE[0] }),
              description: "Whether the user is ACTIVE, or else STAGED.",
            },
          }),
        ],
      },
    ),

    update: writer.change(
      editProfile((req, user) => parse(merge(format(user), req.body), user.profile)),
      {
        verb: "update",
        bodies: { "application/json": partial },
      },
    ),

    replace: writer.change(
      editProfile((req, user) => parse(req.body, user.profile)),
      { verb: "replace", bodies },
    ),

    // null and absent mean the same: a client may send back what it received
    patch: writer.change(
      editProfile((req, user) => parse(getPatch(req).apply(withoutNulls(format(user))), user.profile)),
      {
        verb: "patch",
        bodies: { [JSON_PATCH]: { name: "JsonPatch", shape: JSON_PATCH_SHAPE }, [MERGE_PATCH]: partial },
        handlers: [patch({ readOnly: READ_ONLY })],
      },
    ),

    operate: (operation: UserOperation) =>
      writer.change(
        () =>
          (user, { now }) => ({ after: applyOperation(operation, user, now), event: operation }),
        { verb: operation, answer: EMPTY },
      ),

    remove: writer.change(
      () =>
        (user, { now }) =>
          user.status === "DEPROVISIONED"
            ? { after: undefined, event: "delete" }
            : { after: applyOperation("deactivate", user, now), event: "deactivate" },
      { verb: "delete", answer: NO_CONTENT },
    ),
  };
}

function createProfileParser({ body: shape, names, place }: UserView): ProfileParser {
  return (body, before) => {
    const profile = parseBody(shape, body);
    const hidden = findHiddenMembers(profile, before);
    if (hidden.length > 0) throw invalid(hidden.map(([member, message]) => [names[member], message]));
    const fault = findLengthFault(profile, before);
    if (fault !== undefined) throw invalid([[place, fault]]);
    return profile;
  };
}

function draftUser(parse: ProfileParser): Draft<StoredUser> {
  return (req) => {
    const isActive = readActivate(req);
    const profile = parse(req.body);
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
}

/** Write the profile that `edit` returns, unless it is unchanged. 404 and 412 come before faults of the body. */
function editProfile(edit: (req: Request, user: User) => Profile): UserEdit {
  return (req) => (user) => {
    const profile = edit(req, user);
    return isDeepStrictEqual(profile, user.profile) ? undefined : { after: { ...user, profile }, event: "update" };
  };
}

function readActivate(req: Request): boolean {
  const activate = getQuery(req).get("activate") ?? "true";
  assertOneOf("activate", activate, ACTIVATE);
  return activate === "true";
}

/** A user with the members of a body. Objects keep the members that the body doesn't have. */
function merge(user: object, body: unknown): unknown {
  if (!isObject(body)) return body;
  const members = Object.entries(body).map(([key, value]): [string, unknown] => {
    const before = (user as Readonly<Record<string, unknown>>)[key];
    return [key, isObject(before) && (value === null || isObject(value)) ? { ...before, ...value } : value];
  });
  return { ...user, ...Object.fromEntries(members) };
}
