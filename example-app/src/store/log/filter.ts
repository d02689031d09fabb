import { compileFilterSchema, type FilterAttribute, type FilterOperator } from "etiquette/filter";
import { columnOf, DEBUG_DATA, DOCUMENTS } from "./view.js";

/** All operators, also those that no index supports (rule F6). */
const operators: readonly FilterOperator[] = ["eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co", "pr"];

const column = (name: string): FilterAttribute => ({ type: "string", operators, column: name });

/** A text that the view has a column for. */
const member = (name: string): [string, FilterAttribute] => [name, column(columnOf(name))];

/** JSON: a column of the view, or else a part of a described event. Facts and decisions have no other objects and arrays. */
const documentOf = (path: string): { column: string; path: string[] } =>
  DOCUMENTS.has(path) ? { column: columnOf(path), path: [] } : { column: "event", path: path.split(".") };

/** `target.id`: the member of any element of the array. */
const elementMember = (path: string, name: string): [string, FilterAttribute] => [
  `${path}.${name}`,
  {
    type: "string",
    operators,
    multiValued: true,
    path: path.split("."),
    elementPath: [name],
    column: documentOf(path),
  },
];

const any = (path: string, name = path): [string, FilterAttribute] => [
  name,
  { type: "any", operators, column: documentOf(path) },
];

/** Any member of this object. */
const members = (path: string): [string, FilterAttribute] => any(path, `${path}.*`);

const ENTITY = ["id", "type", "alternateId", "displayName"];

/** The attributes of an event that filters can use: all but `published`, which has `since` and `until`. */
export const LOG_FILTER = compileFilterSchema({
  attributes: {
    uuid: column("uuid"),
    eventType: column("event_type"),
    severity: column("severity"),
    "debugContext.debugData.requestId": column("request_id"),
    "transaction.id": column("request_id"),
    target: { type: "complex", column: documentOf("target") },
    "client.languages": { type: "string", operators, multiValued: true, column: documentOf("client.languages") },
    ...Object.fromEntries([
      ...["version", "displayMessage", "outcome.result", "outcome.reason", "transaction.type"].map(member),
      ...ENTITY.map((name) => member(`actor.${name}`)),
      ...["rawUserAgent", "os", "browser"].map((name) => member(`client.userAgent.${name}`)),
      ...["zone", "device", "id", "ipAddress", "deviceFingerprint"].map((name) => member(`client.${name}`)),
      ...ENTITY.map((name) => elementMember("target", name)),
      ...["ip", "version", "source"].map((name) => elementMember("request.ipChain", name)),
      ...DEBUG_DATA.map((name) => any(`debugContext.debugData.${name}`)),
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
