import { randomUUID } from "node:crypto";
import type { Principal } from "etiquette/authenticate";
import type { RequestContextRecord } from "etiquette/request-context";
import { capText } from "../../src/audit/log-text.js";
import { formatUrl } from "../../src/audit/log-url.js";
import type { EndedRequest, RequestFacts } from "../../src/audit/request-facts.js";
import type { LogEntity, LogEvent } from "../../src/model/records.js";
import { escapeHidden } from "../../src/model/visible-text.js";
import type { NewLogEvent } from "../../src/store/log/stored-facts.js";
import type { LogEventRow } from "../../src/store/contract/log-schema.js";

/*
 * The rows that version 0.1 of the server wrote, which described each event at once. A copy of its code, for comparison,
 * but with the caps and the hidden values of today.
 */

/** The row of the event of a request. */
export function describedRow(
  place: Pick<LogEventRow, "org_id" | "published" | "sequence">,
  end: EndedRequest,
): LogEventRow {
  return toRow(place, describeEnd(end));
}

/** Characters that PostgreSQL accepts neither in text nor in JSON documents: U+0000 and lone surrogates. */
const FORBIDDEN_REGEXP = /\0|\p{Surrogate}/gu;

/** The same characters as `JSON.stringify` escapes them. */
const ESCAPED_REGEXP = /\\u(?:0000|d[89a-f])/;

/** Kinds of requests, by the beginning of the path. */
const KINDS: readonly (readonly [path: string, eventType: string, displayMessage: string])[] = [
  ["/.well-known/webfinger", "system.webfinger.query", "WebFinger query"],
  ["/api/", "system.api.request", "API request"],
  ["/sso/", "system.sso.redirect", "Redirect to sign in"],
];

/** Any other request. */
const OTHER = ["", "system.http.request", "HTTP request"] as const;

/** Requests that did not reach the app. */
const REFUSED = ["", "system.http.refused", "Refused request"] as const;

const GAVE_UP = "The connection was lost before the answer was complete.";

type RequestDescription = Omit<NewLogEvent, "eventType" | "severity" | "displayMessage" | "outcome" | "target">;

function describeRequest(facts: RequestFacts): RequestDescription {
  const { id, method, context, tenant, deviceFingerprint } = facts;
  const ipAddress = context ? context.ip : addressOf(facts.peer);
  const { raw, os, browser, device } = context?.userAgent ?? {
    raw: facts.rawUserAgent && Buffer.from(facts.rawUserAgent.slice(0, 1_024), "latin1").toString(),
    os: "Unknown",
    browser: "Unknown",
    device: "Unknown",
  };
  const mark = (facts.rawUserAgent ?? "").length > 1_024 ? "…" : "";
  const url = formatUrl(facts.url ?? "");
  const debugData: LogEvent["debugContext"]["debugData"] = {
    requestId: id,
    requestUri: url.replace(/[?#][^]*$/, ""),
    url,
  };
  if (method !== undefined) debugData["method"] = method;
  return {
    version: "0",
    actor: describeActor(facts.principal),
    client: {
      userAgent: { rawUserAgent: capText((raw ?? "") + mark, 1_024), os, browser },
      zone: tenant?.trust.findZone(ipAddress ?? undefined) ?? null,
      device,
      id: null,
      ipAddress,
      geographicalContext: null,
      ...(context && context.languages.length > 0 && { languages: context.languages }),
      ...(deviceFingerprint !== undefined && { deviceFingerprint }),
    },
    transaction: { type: "WEB", id, detail: {} },
    debugContext: { debugData },
    authenticationContext: {},
    securityContext: {},
    request: { ipChain: context ? describeChain(context.chain) : describePeer(ipAddress) },
  };
}

const NOBODY: LogEntity = {
  id: "unknown",
  type: "User",
  alternateId: "unknown",
  displayName: "Unknown",
  detailEntry: null,
};

function describeActor(principal: Principal | null | undefined): LogEntity {
  if (!principal) return NOBODY;
  const { subject, claims = {} } = principal;
  const { tokenName } = claims;
  return typeof tokenName === "string"
    ? { id: subject, type: "ApiToken", alternateId: subject, displayName: tokenName, detailEntry: null }
    : { id: subject, type: "AccessToken", alternateId: subject, displayName: subject, detailEntry: null };
}

type IpChain = LogEvent["request"]["ipChain"];

/**
 * The addresses from the client to the peer. Entries before the client are left out, because anybody can forge them.
 */
function describeChain(chain: RequestContextRecord["chain"]): IpChain {
  return chain
    .filter(({ reason }) => reason === "trusted" || reason === "untrusted")
    .flatMap(({ ip, source }) => (ip === null ? [] : [describeHop(ip, source)]))
    .reverse();
}

function describePeer(ip: string | null): IpChain {
  return ip === null ? [] : [describeHop(ip, "socket")];
}

function describeHop(ip: string, source: string): IpChain[number] {
  return { ip, geographicalContext: null, version: ip.includes(":") ? "V6" : "V4", source };
}

/** The address of a peer; IPv4-mapped addresses become IPv4. */
function addressOf(peer: string | undefined): string | null {
  return peer?.replace(/^::ffff:(?=[0-9.]+$)/i, "") ?? null;
}

/** The event of a request. */
function describeEnd(end: EndedRequest): NewLogEvent {
  const { facts, isServed, status, isSuccess } = end;
  const description = describeRequest(facts);
  const { debugData } = description.debugContext;
  if (status !== undefined) debugData["statusCode"] = String(status);
  const [, eventType, displayMessage] = isServed ? kindOf(debugData.requestUri) : REFUSED;
  return {
    ...description,
    eventType,
    severity: severityOf(isSuccess, status),
    displayMessage,
    outcome: isSuccess ? { result: "SUCCESS", reason: null } : { result: "FAILURE", reason: reasonOf(end) },
    target: null,
  };
}

function kindOf(path: string): (typeof KINDS)[number] {
  return KINDS.find(([beginning]) => path.startsWith(beginning)) ?? OTHER;
}

function severityOf(isSuccess: boolean, status = 0): NewLogEvent["severity"] {
  if (isSuccess) return "DEBUG";
  return status >= 500 ? "ERROR" : "WARN";
}

function reasonOf({ errorCode, errorSummary, isFinished, status }: EndedRequest): string {
  if (errorCode !== undefined) return escapeHidden(`${errorCode}: ${errorSummary}`);
  return isFinished ? `HTTP status ${String(status)}` : GAVE_UP;
}

function toRow(place: Pick<LogEventRow, "org_id" | "published" | "sequence">, given: NewLogEvent): LogEventRow {
  let event = given;
  let text = JSON.stringify(event);
  if (ESCAPED_REGEXP.test(text)) {
    event = cleanse(event) as NewLogEvent;
    text = JSON.stringify(event);
  }
  return {
    ...place,
    uuid: randomUUID(),
    event_type: event.eventType,
    severity: event.severity,
    request_id: event.debugContext.debugData.requestId,
    search_text: searchTextOf(event),
    event: text,
    decision_id: null,
  };
}

/** The value with U+FFFD in place of characters that databases don't accept. */
function cleanse(value: unknown): unknown {
  if (typeof value === "string") return value.replace(FORBIDDEN_REGEXP, "\ufffd");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cleanse);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [String(cleanse(key)), cleanse(member)]));
}

/** The text that `q` searches: lower case, one value per line. */
function searchTextOf({ eventType, displayMessage, actor, client, target, outcome, transaction }: NewLogEvent): string {
  const entities = [actor, ...(target ?? [])].flatMap(({ id, alternateId, displayName }) => [
    id,
    alternateId,
    displayName,
  ]);
  return [eventType, displayMessage, ...entities, client.ipAddress, outcome.reason, transaction.id]
    .filter((text) => text !== null)
    .join("\n")
    .toLowerCase();
}
