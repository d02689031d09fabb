import type { LogEntity, LogEvent } from "../../model/records.js";
import { createTextEraser, ERASED } from "./erased-text.js";
import type { DecisionDocument } from "./decisions.js";
import { toEventRow, toRequestRow } from "./events.js";
import { NO_CLIENT, unpackFacts, type LogFacts, type NewLogEvent } from "./stored-facts.js";
import type { LogColumns } from "../contract/dialect.js";
import type { LogEventRow } from "../contract/log-schema.js";

/** A person to erase from a log. */
export interface Person {
  /** The id of the user, which stays: it is random. */
  readonly id: string | undefined;
  /** Logins, addresses and full names, in any case. */
  readonly texts: ReadonlySet<string>;
}

type StoredEvent = Pick<LogEventRow, "event" | "event_type" | "severity" | "request_id">;

/** {@link NO_CLIENT} in an event that is described. */
const UNKNOWN_CLIENT: LogEvent["client"] = {
  userAgent: { rawUserAgent: "", os: "Unknown", browser: "Unknown" },
  zone: null,
  device: "Unknown",
  id: null,
  ipAddress: null,
  geographicalContext: null,
};

/** These requests name the person who makes them. */
const PERSONAL_TYPES: ReadonlySet<string> = new Set(["system.webfinger.query", "system.sso.redirect"]);

/** What is stored without the person, or `undefined` when it does not tell of them. */
export interface LogEraser {
  /** The columns of an event. */
  readonly event: (row: StoredEvent) => Pick<LogColumns, "event" | "search_text"> | undefined;
  /** The document of a decision: names of rules and providers may name a person. */
  readonly decision: (document: string) => string | undefined;
}

export function createLogEraser(person: Person): LogEraser {
  const { eraseText, erasePath, eraseQuery } = createTextEraser(person.texts);
  const { eraseEntity, isPerson } = createEntityEraser(person);

  return {
    event(row) {
      const document = JSON.parse(row.event) as NewLogEvent | unknown[];
      const { event, search_text } = Array.isArray(document)
        ? eraseRequest(row, unpackFacts(document))
        : toEventRow(eraseEvent(document));
      return event === JSON.stringify(document) ? undefined : { event, search_text };
    },
    decision(document) {
      const decision = JSON.parse(document) as DecisionDocument;
      const erased = JSON.stringify({ ...decision, target: decision.target.map(eraseEntity) });
      return erased === JSON.stringify(decision) ? undefined : erased;
    },
  };

  function eraseRequest({ event_type: eventType, severity, request_id: requestId }: StoredEvent, facts: LogFacts) {
    const { path, query, reason, actor, tokenName } = facts;
    const shown = { path: erasePath(path), query: eraseQuery(query) };
    const isOwn = (PERSONAL_TYPES.has(eventType) && shown.query !== query) || isPerson(actor);
    return toRequestRow({
      requestId,
      eventType,
      severity: severity as LogEvent["severity"],
      facts: {
        ...facts,
        ...shown,
        reason: reason && eraseText(reason),
        actor: actor && eraseText(actor),
        tokenName: tokenName && eraseText(tokenName),
        ...(isOwn && NO_CLIENT),
      },
    });
  }

  function eraseEvent(event: NewLogEvent): NewLogEvent {
    const { actor, client, debugContext, eventType, outcome, request, target } = event;
    const { debugData } = debugContext;
    const url = splitUrl(debugData.url);
    const query = eraseQuery(url.query);
    const isOwn = isPerson(actor.id) || (PERSONAL_TYPES.has(eventType) && query !== url.query);
    const { patch } = debugData;
    const shown = {
      requestUri: erasePath(debugData.requestUri),
      url: erasePath(url.path) + query,
      ...(patch !== undefined && { patch: JSON.stringify(eraseTexts(JSON.parse(patch), eraseText)) }),
    };
    return {
      ...event,
      actor: eraseEntity(actor),
      client: isOwn ? UNKNOWN_CLIENT : client,
      request: isOwn ? { ipChain: [] } : request,
      target: target?.map(eraseEntity) ?? null,
      outcome: { ...outcome, reason: outcome.reason && eraseText(outcome.reason) },
      debugContext: { debugData: { ...debugData, ...shown } },
    };
  }
}

/** The row of a request without all that may tell of a person; a summary tells of none. */
export function withoutPeople<T extends StoredEvent>(row: T): T {
  const document = JSON.parse(row.event) as unknown[] | NewLogEvent;
  if (!Array.isArray(document)) return row;
  const { method, status, reason } = unpackFacts(document);
  const facts = { ...NO_CLIENT, path: "", query: "", actor: null, tokenName: null, method, status };
  const { event, search_text } = toRequestRow({
    requestId: row.request_id,
    eventType: row.event_type,
    severity: row.severity as LogEvent["severity"],
    facts: { ...facts, reason: reason === null ? null : ERASED },
  });
  return { ...row, event, search_text };
}

/** Erases the person as an actor or a target. */
export function createEntityEraser({ id, texts }: Person) {
  const { eraseText } = createTextEraser(texts);
  const isNamed = (text: string): boolean => eraseText(text) !== text;

  return {
    isPerson: (actor: string | null): boolean => actor !== null && (actor === id || isNamed(actor)),
    eraseEntity,
  };

  function eraseEntity(entity: LogEntity): LogEntity {
    const { type, alternateId, displayName } = entity;
    if (entity.id === id || (type === "User" && isNamed(alternateId))) {
      return { ...entity, alternateId: ERASED, displayName: ERASED, detailEntry: null };
    }
    if (type === "User") return entity; // another one, perhaps of the same name
    return {
      ...entity,
      id: eraseText(entity.id),
      alternateId: eraseText(alternateId),
      displayName: eraseText(displayName),
    };
  }
}

/** The value without the texts, in members and elements. */
export function eraseTexts(value: unknown, eraseText: (text: string) => string): unknown {
  if (typeof value === "string") return eraseText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => eraseTexts(element, eraseText));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, eraseTexts(member, eraseText)]));
}

function splitUrl(url: string): { path: string; query: string } {
  const end = url.search(/[?#]/);
  return end === -1 ? { path: url, query: "" } : { path: url.slice(0, end), query: url.slice(end) };
}
