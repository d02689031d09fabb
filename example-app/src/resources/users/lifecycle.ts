import { compileOperations } from "etiquette/links";
import type { ErrorCode } from "etiquette/error-catalogue";
import { apiError } from "../../model/api-error.js";
import type { User } from "../../model/records.js";
import { USER_STATUSES } from "../../model/user-shapes.js";
import { invalid } from "../../rest/body.js";

export const USER_OPERATIONS = [
  "activate",
  "reactivate",
  "deactivate",
  "suspend",
  "unsuspend",
  "unlock",
  "expirePassword",
  "confirmPassword",
] as const;
/** An operation, by its link relation. */
export type UserOperation = (typeof USER_OPERATIONS)[number];

interface Transition {
  readonly states: readonly User["status"][];
  /** The new status; absent when the status stays. */
  readonly to?: User["status"];
  /** The error for users in another status. */
  readonly refusal: ErrorCode;
  /** The path segment, when it differs from the relation. */
  readonly segment?: string;
}

const TRANSITIONS: Readonly<Record<UserOperation, Transition>> = {
  activate: { states: ["STAGED", "DEPROVISIONED"], to: "ACTIVE", refusal: "E0000016" },
  reactivate: { states: ["PROVISIONED", "RECOVERY"], refusal: "E0000038" },
  deactivate: {
    states: USER_STATUSES.filter((status) => status !== "DEPROVISIONED"),
    to: "DEPROVISIONED",
    refusal: "E0000001",
  },
  suspend: { states: ["ACTIVE"], to: "SUSPENDED", refusal: "E0000001" },
  unsuspend: { states: ["SUSPENDED"], to: "ACTIVE", refusal: "E0000001" },
  unlock: { states: ["LOCKED_OUT"], to: "ACTIVE", refusal: "E0000038" },
  expirePassword: { states: ["ACTIVE"], to: "PASSWORD_EXPIRED", refusal: "E0000038", segment: "expire_password" },
  confirmPassword: {
    states: ["PROVISIONED", "RECOVERY", "PASSWORD_EXPIRED"],
    to: "ACTIVE",
    refusal: "E0000038",
    segment: "confirm_password",
  },
};

/** A user has links to exactly those operations that its status allows (rule L4). */
export const userLifecycle = compileOperations<UserOperation, User["status"]>(TRANSITIONS);

/** The last segment of the operation's path: `expire_password`. */
export function segmentOf(operation: UserOperation): string {
  return TRANSITIONS[operation].segment ?? operation;
}

/**
 * Apply the operation to `user`. Returns the same object when nothing changes.
 *
 * @throws {ApiError} when the user's status does not allow the operation
 */
export function applyOperation<U extends User>(operation: UserOperation, user: U, now: string): U {
  const { states, to, refusal } = TRANSITIONS[operation];
  if (!userLifecycle.isAllowed(operation, user.status)) {
    const message = `is ${user.status}; ${segmentOf(operation)} takes ${states.join(", ")}`;
    if (refusal === "E0000001") throw invalid([["status", message]]);
    throw apiError(refusal, { type: "user.status", causes: [`status: ${message}`] });
  }
  if (to === undefined) return user;
  const activated = operation === "activate" ? now : user.activated;
  return { ...user, status: to, activated, statusChanged: now, lastUpdated: now };
}
