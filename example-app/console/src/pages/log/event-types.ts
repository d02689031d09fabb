import { logEvents as texts } from "../../texts/en/log-events.js";
import type { logFilters } from "../../texts/en/log-filters.js";

/** What an event is about, by the first of these with which its type begins; as the name of a text. */
const KINDS = [
  ["policy.test.", "tests"],
  ["policy.", "rules"],
  ["system.idp.", "idps"],
  ["zone.", "zones"],
  ["security.trusted_origin.", "origins"],
  ["user.", "users"],
  ["system.api_token.", "tokens"],
  ["system.console_link.", "tokens"],
  ["org.", "org"],
  ["security.issuer.", "org"],
  ["system.webfinger.", "signIns"],
  ["system.sso.", "signIns"],
] as const satisfies readonly (readonly [beginning: string, kind: keyof typeof logFilters])[];

type EventType = keyof typeof texts;

type Kind = (typeof KINDS)[number][1] | "requests";

/** The events that the server writes, by their type. */
export const EVENT_TYPES: ReadonlyMap<string, Kind> = new Map(Object.keys(texts).map((type) => [type, kindOf(type)]));

function kindOf(type: string): Kind {
  return KINDS.find(([beginning]) => type.startsWith(beginning))?.[1] ?? "requests";
}

/** Whether this page knows the type. */
export function isEventType(type: string): type is EventType {
  return EVENT_TYPES.has(type);
}

/** `Rule switched off`; the type itself of events that this page doesn't know. */
export function labelOf(type: string): string {
  return isEventType(type) ? texts[type] : type;
}
