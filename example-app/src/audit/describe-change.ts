import type { Issuer, LogEntity, Org, User } from "../model/records.js";
import { ERASED, ERASURE } from "../store/log/erased-text.js";
import type { AuditEvent } from "./change-events.js";

/* The events of changes, whoever makes them: a request or an import. */

export const describeIdp = describeNamed("system.idp.lifecycle", "IdentityProvider");
export const describeZone = describeNamed("zone", "Zone");
export const describeTrustedOrigin = describeNamed("security.trusted_origin", "TrustedOrigin");
export const describeApiToken = describeNamed("system.api_token", "ApiToken", "API token");

export const describeRoutingTest = describeNamed("policy.test", "RoutingTest", "routing test");

const describeAnyRule = describeNamed("policy.rule", "PolicyRule");
export const describeRule: Describe = (event, rule) => describeAnyRule(event === "create" ? "add" : event, rule);

export const describePolicy = describeNamed("policy.lifecycle", "Policy", "policy");

const describeAnyOrg = describeNamed("org", "Org");
export const describeOrg = (event: string, { id, subdomain: name }: Org): AuditEvent =>
  describeAnyOrg(event, { id, name });

/** A link that signs in to the console of an org. Its code is in no log. */
export const describeConsoleLink = ({ id, subdomain: name }: Org): AuditEvent => ({
  eventType: "system.console_link.create",
  displayMessage: "Create link to the console",
  target: [toLogEntity({ id, name }, "Org")],
});

const describeAnyIssuer = describeNamed("security.issuer", "Issuer");
export const describeIssuer = (event: string, { id, issuer: name }: Issuer): AuditEvent =>
  describeAnyIssuer(event, { id, name });

const USER_EVENTS = {
  create: ["user.lifecycle.create", "Create user"],
  activate: ["user.lifecycle.activate", "Activate user"],
  reactivate: ["user.lifecycle.reactivate", "Reactivate user"],
  deactivate: ["user.lifecycle.deactivate", "Deactivate user"],
  suspend: ["user.lifecycle.suspend", "Suspend user"],
  unsuspend: ["user.lifecycle.unsuspend", "Unsuspend user"],
  unlock: ["user.lifecycle.unlock", "Unlock user"],
  expirePassword: ["user.account.expire_password", "Expire password of user"],
  confirmPassword: ["user.account.confirm_password", "Confirm password of user"],
  update: ["user.account.update_profile", "Update profile of user"],
  delete: ["user.lifecycle.delete.completed", "Delete user"],
} as const satisfies Readonly<Record<string, readonly [eventType: string, displayMessage: string]>>;

/** The events of a user. */
export type UserEvent = keyof typeof USER_EVENTS;

export function describeUser(event: UserEvent, { id, profile }: User): AuditEvent {
  const [eventType, displayMessage] = USER_EVENTS[event];
  const { login, firstName, lastName } = profile;
  const displayName = `${firstName} ${lastName}`;
  return {
    eventType,
    displayMessage,
    target: [{ id, type: "User", alternateId: login, displayName, detailEntry: null }],
  };
}

/** The event tells nothing but the id, which is random. */
export function describeErasure(id: string): AuditEvent {
  return {
    eventType: ERASURE,
    displayMessage: "Erase user",
    target: [{ id, type: "User", alternateId: ERASED, displayName: ERASED, detailEntry: null }],
  };
}

type Describe = (event: string, record: Readonly<{ id: string; name: string }>) => AuditEvent;

/** Events of records with a name: `zone.create`, `Create Zone`. */
function describeNamed(eventType: string, label: string, noun = label): Describe {
  return (event, record) => ({
    eventType: `${eventType}.${event}`,
    displayMessage: `${event.charAt(0).toUpperCase()}${event.slice(1)} ${noun}`,
    target: [toLogEntity(record, label)],
  });
}

export function toLogEntity({ id, name }: Readonly<{ id: string; name: string }>, type: string): LogEntity {
  return { id, type, alternateId: name, displayName: name, detailEntry: null };
}
