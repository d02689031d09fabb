import type { User } from "../model/records.js";
import { findLengthFault, type FileUser } from "../model/user-shapes.js";
import type { Located, Report } from "./document.js";

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
