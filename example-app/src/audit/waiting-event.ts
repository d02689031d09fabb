import { isSignOnPath } from "../model/sign-on-path.js";
import { toRequestRow, type LoggedRequest } from "../store/log/events.js";
import type { LogColumns } from "../store/contract/dialect.js";
import type { RoutingDecision } from "../tenancy/routing-cache.js";
import { hostName } from "../tenancy/tenants.js";
import type { QueuedItem } from "./fair-queue.js";
import { selectFacts } from "./log-facts.js";
import type { EndedRequest } from "./request-facts.js";

/** Types of requests but signing in, by the beginning of the path. */
const TYPES: readonly (readonly [path: string, eventType: string])[] = [
  ["/.well-known/webfinger", "system.webfinger.query"],
  ["/api/", "system.api.request"],
  ["", "system.http.request"],
];

/** The type of requests that did not reach the app. */
const REFUSED = "system.http.refused";

/** The type of the first request of a window that exceeded a rate limit. */
const EXCEEDED = "system.operation.rate_limit.violation";

const GAVE_UP = "The connection was lost before the answer was complete.";

/** What is dropped first when there is no room: requests without credentials, those that failed before the others. */
export const RANKS = { noise: 0, anonymous: 1, authenticated: 2, summary: 3 } as const;

/** In characters, of a host with a port. A longer one names no org. */
const MAX_HOST_LENGTH = 261;

/** The memory that an event takes beside its texts, in bytes. */
const OVERHEAD = 512;

/** An event that waits for its transaction. It holds its request no longer in memory. */
export interface WaitingEvent extends QueuedItem {
  /** The name in the `Host` field, when it is not known yet which org that is. */
  readonly host: string | undefined;
  readonly status: number | undefined;
  /** When it happened, in milliseconds since 1970. */
  readonly time: number;
  /** Whether it was on disk: a process that was killed may have written it to the database already. */
  readonly isSpooled: boolean;
  readonly row: LogColumns;
  /** What the log of an org is told that was not asked: nothing that the client sent. */
  readonly bareRow: LogColumns | undefined;
  /** What routing rules decided for the request. */
  readonly decision: RoutingDecision | undefined;
}

export function toWaitingEvent({
  orgId,
  host,
  status,
  rank,
  time = Date.now(),
  isSpooled = false,
  row,
  bareRow,
  decision,
}: Pick<WaitingEvent, "orgId" | "rank" | "row"> & Partial<WaitingEvent>): WaitingEvent {
  const size = OVERHEAD + sizeOf(row) + (bareRow ? sizeOf(bareRow) : 0);
  return { orgId, host, status, rank, time, isSpooled, row, bareRow, decision, size };
}

/** The event of a request. */
export function packRequest(end: EndedRequest): WaitingEvent {
  const { tenant, principal } = end.facts;
  const request = describeRequest(end);
  const { host = "" } = end;
  const { facts } = request;
  return toWaitingEvent({
    orgId: tenant?.org.id,
    host: tenant || host.length > MAX_HOST_LENGTH ? undefined : hostName(host),
    status: end.status,
    rank: RANKS[principal ? "authenticated" : end.isSuccess ? "anonymous" : "noise"],
    row: toRequestRow(request),
    decision: end.decision,
    bareRow: tenant ? undefined : toRequestRow({ ...request, facts: { ...facts, path: "", query: "", userAgent: "" } }),
  });
}

/** What the console meets while somebody types or is not signed in: it gave up, a filter is not complete, no session. */
const USUAL = [0, 400, 401];

function describeRequest(end: EndedRequest): LoggedRequest {
  const { facts, isServed, status, isSuccess, exceeded } = end;
  const selected = selectFacts(facts, {
    status: status === undefined ? null : String(status),
    reason: isSuccess ? null : reasonOf(end),
  });
  return {
    requestId: facts.id,
    eventType: exceeded === undefined ? typeOf(isServed, selected.path) : EXCEEDED,
    severity: severityOf(end),
    facts: selected,
  };
}

function typeOf(isServed: boolean, path: string): string {
  if (!isServed) return REFUSED;
  if (isSignOnPath(path)) return "system.sso.redirect";
  return TYPES.find(([beginning]) => path.startsWith(beginning))?.[1] ?? REFUSED;
}

function severityOf({ isSuccess, status = 0, facts, isOfConsole = false }: EndedRequest): LoggedRequest["severity"] {
  if (isSuccess || (isOfConsole && facts.method === "GET" && USUAL.includes(status))) return "DEBUG";
  return status >= 500 ? "ERROR" : "WARN";
}

function reasonOf({ errorCode, errorSummary, exceeded, hint, isFinished, status }: EndedRequest): string {
  if (errorCode !== undefined) return [`${errorCode}: ${errorSummary}`, exceeded ?? hint ?? []].flat().join(" ");
  return isFinished ? `HTTP status ${String(status)}` : GAVE_UP;
}

/** The memory of an event in bytes; a character takes at most two. */
function sizeOf({ event, search_text: text }: LogColumns): number {
  return 2 * (event.length + text.length);
}
