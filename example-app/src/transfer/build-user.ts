import type { AuditEvent } from "../audit/change-events.js";
import { describeUser, type UserEvent } from "../audit/describe-change.js";
import type { User } from "../model/records.js";
import { findLengthFault, type FileUser } from "../model/user-shapes.js";
import type { Located, Report } from "./located.js";

/** The user that a file describes, without what the merge knows. Reports a profile that is too long. */
export function buildUser(
  { path, value: { status, profile } }: Located<FileUser>,
  before: User | undefined,
  now: string,
  report: Report,
): Omit<User, "id" | "created" | "lastUpdated"> {
  const fault = findLengthFault(profile, before?.profile);
  if (fault !== undefined) report([...path, "profile"], fault);
  const after = status ?? before?.status ?? "ACTIVE";
  return {
    status: after,
    activated: before?.activated ?? (after === "ACTIVE" ? now : null),
    statusChanged: before?.status === after ? before.statusChanged : now,
    lastLogin: before?.lastLogin ?? null,
    profile,
  };
}

export function describeUserChange(
  event: "create" | "update" | "delete",
  user: User,
  before: User | undefined,
): AuditEvent {
  return describeUser(event === "update" ? userEventOf(user, before?.status) : event, user);
}

/** A change of the status tells more than one of the profile. */
function userEventOf({ status }: User, before: User["status"] | undefined): UserEvent {
  if (status === before) return "update";
  switch (status) {
    case "ACTIVE":
      return "activate";
    case "SUSPENDED":
      return "suspend";
    case "DEPROVISIONED":
      return "deactivate";
    case "PASSWORD_EXPIRED":
      return "expirePassword";
    default:
      return "update";
  }
}
