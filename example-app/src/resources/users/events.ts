import type { AuditEvent } from "../../audit/change-events.js";
import type { User } from "../../model/records.js";
import type { UserOperation } from "./lifecycle.js";

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

/** An event for the System Log. */
export function describeUserEvent(event: UserEvent, { id, profile }: User): AuditEvent {
  const [eventType, displayMessage] = EVENTS[event];
  const { login, firstName, lastName } = profile;
  const displayName = `${firstName} ${lastName}`;
  return {
    eventType,
    displayMessage,
    target: [{ id, type: "User", alternateId: login, displayName, detailEntry: null }],
  };
}
