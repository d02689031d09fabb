import { filter } from "etiquette/filter";
import { formatPath } from "etiquette/links";
import { queryParameters } from "etiquette/query-parameters";
import type { AuditEvent } from "../../audit/change-events.js";
import type { User } from "../../model/records.js";
import type { Kind } from "../../rest/kind.js";
import type { UserRow } from "../../store/schema.js";
import { USERS, type StoredUser } from "../../store/users.js";
import { getTenant } from "../../tenancy/tenant.js";
import { userLifecycle, type UserOperation } from "./lifecycle.js";
import { describeSelection, getSelection } from "./selection.js";
import type { UserView } from "./views.js";

/** The events of a user. */
export type UserEvent = "create" | "update" | "delete" | UserOperation;

const EVENTS: Readonly<Record<UserEvent, readonly [eventType: string, displayMessage: string]>> = {
  create: ["user.lifecycle.create", "Create user"],
  activate: ["user.lifecycle.activate", "Activate user"],
  reactivate: ["user.lifecycle.reactivate", "Reactivate user"],
  deactivate: ["user.lifecycle.deactivate", "Deactivate user"],
  suspend: ["user.lifecycle.suspend", "Suspend user"],
  unsuspend: ["user.lifecycle.unsuspend", "Unsuspend user"],
  unlock: ["user.lifecycle.unlock", "Unlock user"],
  expirePassword: ["user.account.expire_password", "Expire password of user"],
  update: ["user.account.update_profile", "Update profile of user"],
  delete: ["user.lifecycle.delete.completed", "Delete user"],
};

/** Users as a version of the API shows them. Links to operations lead to v1, the only version that has them. */
export function createUserKind(view: UserView): Kind<UserRow, StoredUser, UserEvent> {
  return {
    label: "User",
    path: "/users/:id",
    version: view.version,
    table: USERS,
    isRouted: false,
    listHandlers: [
      queryParameters({ single: ["sortBy", "sortOrder"] }),
      filter({ schema: view.filterSchema }),
      filter({ schema: view.searchSchema, parameter: "search" }),
    ],
    pages: { limit: { default: 200, max: 200 }, context: (req) => describeSelection(req, view) },
    select: (req) => getSelection(req, view),
    format: view.format,
    formatList: view.formatList,
    links(user, _url, req) {
      const operations = formatPath(`${getTenant(req).baseUrl}/api/v1/users`, user.id, "lifecycle");
      return userLifecycle.format(user.status, operations);
    },
    tag: ({ id, revision }) => `${id}.${revision}`,
    describe: describeUserEvent,
    unique: ["login"],
    taken: "An object with this field already exists in the current organization",
  };
}

/** An event for the System Log. */
function describeUserEvent(event: UserEvent, { id, profile }: User): AuditEvent {
  const [eventType, displayMessage] = EVENTS[event];
  const { login, firstName, lastName } = profile;
  const displayName = `${firstName} ${lastName}`;
  return {
    eventType,
    displayMessage,
    target: [{ id, type: "User", alternateId: login, displayName, detailEntry: null }],
  };
}
