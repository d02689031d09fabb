import { compileFilterSchema, type FilterAttribute, type FilterOperator } from "etiquette/filter";

/** All operators, also those that no index supports (rule F6). */
const operators: readonly FilterOperator[] = ["eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co", "pr"];

const column = (name: string): FilterAttribute => ({ type: "string", operators, column: name });

/** A member of the event's JSON document, at the path of its name. */
const member = (name: string): [string, FilterAttribute] => [
  name,
  { type: "string", operators, column: { column: "event", path: name.split(".") } },
];

/** `target.id`: the member of any element of the array. */
const elementMember = (path: string, name: string): [string, FilterAttribute] => [
  `${path}.${name}`,
  {
    type: "string",
    operators,
    multiValued: true,
    path: path.split("."),
    elementPath: [name],
    column: { column: "event", path: path.split(".") },
  },
];

/** Any member of this object. */
const members = (path: string): [string, FilterAttribute] => [
  `${path}.*`,
  { type: "any", operators, column: { column: "event", path: path.split(".") } },
];

const presence = (name: string): [string, FilterAttribute] => [
  name,
  { type: "complex", operators: ["pr"], column: { column: "event", path: name.split(".") } },
];

const ENTITY = ["id", "type", "alternateId", "displayName"];

/** The attributes of an event that filters can use: all but `published`, which has `since` and `until`. */
export const LOG_FILTER = compileFilterSchema({
  attributes: {
    uuid: column("uuid"),
    eventType: column("event_type"),
    severity: column("severity"),
    "debugContext.debugData.requestId": column("request_id"),
    "transaction.id": column("request_id"),
    ...Object.fromEntries([
      ...["version", "displayMessage", "outcome.result", "outcome.reason", "transaction.type"].map(member),
      ...ENTITY.map((name) => member(`actor.${name}`)),
      ...["rawUserAgent", "os", "browser"].map((name) => member(`client.userAgent.${name}`)),
      ...["zone", "device", "id", "ipAddress"].map((name) => member(`client.${name}`)),
      ...ENTITY.map((name) => elementMember("target", name)),
      ...["ip", "version", "source"].map((name) => elementMember("request.ipChain", name)),
      ...["target", "actor.detailEntry", "client.geographicalContext"].map(presence),
      ...[
        "actor.detailEntry",
        "client.geographicalContext",
        "debugContext.debugData",
        "transaction.detail",
        "authenticationContext",
        "securityContext",
      ].map(members),
    ]),
  },
});
