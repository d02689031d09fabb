import type { Logger } from "pino";
import { isUnavailable } from "../store/errors.js";
import { appendRequests, type LoggedRequest } from "../store/log-events.js";
import type { Store } from "../store/store.js";
import { selectFacts } from "./log-facts.js";
import type { EndedRequest } from "./request-facts.js";

/** The most events of one org per transaction. */
const MAX_BATCH = 500;

/** Number of orgs whose events are written in parallel. */
const CONCURRENCY = 4;

/** Conflicts with other transactions (PostgreSQL, appendix A, class 40); a retry may succeed. */
const CONFLICT_REGEXP = /^40...$/;

/** Types of requests, by the beginning of the path. */
const TYPES: readonly (readonly [path: string, eventType: string])[] = [
  ["/.well-known/webfinger", "system.webfinger.query"],
  ["/api/", "system.api.request"],
  ["/sso/", "system.sso.redirect"],
  ["", "system.http.request"],
];

/** The type of requests that did not reach the app. */
const REFUSED = "system.http.refused";

const GAVE_UP = "The connection was lost before the answer was complete.";

export interface EventWriterOptions {
  store: Pick<Store, "write">;
  /** The org whose log records requests to this host, or without a host; `undefined` when no log does. */
  findOrgId: (host: string | undefined) => Promise<string | undefined>;
  log: Logger;
}

/**
 * Writes the events of requests. Events that the database refuses for good are lost, and the program log reports it.
 */
export type EventWriter = (ends: readonly EndedRequest[]) => Promise<{
  /** The requests to retry. */
  left: EndedRequest[];
  /** Why they must be retried. */
  failure: unknown;
}>;

export function createEventWriter({ store, findOrgId, log }: Readonly<EventWriterOptions>): EventWriter {
  return async function writeEvents(ends) {
    const left: EndedRequest[] = [];
    let failure: unknown;
    const write = async (logs: Iterable<[string, EndedRequest[]]>): Promise<void> => {
      for (const [orgId, events] of logs) {
        for (let start = 0; start < events.length; start += MAX_BATCH) {
          const batch = events.slice(start, start + MAX_BATCH);
          const error = failure ?? (await append(orgId, batch));
          if (error === undefined) continue;
          failure = error;
          left.push(...batch);
        }
      }
    };
    try {
      const logs = (await groupByOrg(ends)).entries(); // an iterator, which several writers share
      await Promise.all(Array.from({ length: CONCURRENCY }, () => write(logs)));
    } catch (error) {
      failure = error;
      left.push(...ends);
    }
    return { left, failure };
  };

  /** @returns the reason for a retry */
  async function append(orgId: string, ends: readonly EndedRequest[]): Promise<unknown> {
    try {
      await store.write((transaction) => appendRequests(transaction, orgId, ends.map(toLogged)));
    } catch (error) {
      if (isTransient(error)) return error;
      log.error({ err: error, lost: ends.length, orgId }, "log events lost");
    }
    return undefined;
  }

  async function groupByOrg(ends: readonly EndedRequest[]): Promise<Map<string, EndedRequest[]>> {
    const logs = new Map<string, EndedRequest[]>();
    for (const end of ends) {
      const orgId = end.facts.tenant?.org.id ?? (await findOrgId(end.host));
      if (orgId === undefined) continue;
      const events = logs.get(orgId);
      if (events) events.push(end);
      else logs.set(orgId, [end]);
    }
    return logs;
  }
}

function isTransient(error: unknown): boolean {
  return isUnavailable(error) || CONFLICT_REGEXP.test(String((error as { code?: unknown } | null)?.code));
}

function toLogged(end: EndedRequest): LoggedRequest {
  const { facts, isServed, status, isSuccess } = end;
  const selected = selectFacts(facts, {
    status: status === undefined ? null : String(status),
    reason: isSuccess ? null : reasonOf(end),
  });
  return {
    requestId: facts.id,
    eventType: isServed ? typeOf(selected.path) : REFUSED,
    severity: severityOf(isSuccess, status),
    facts: selected,
  };
}

function typeOf(path: string): string {
  return TYPES.find(([beginning]) => path.startsWith(beginning))?.[1] ?? REFUSED;
}

function severityOf(isSuccess: boolean, status = 0): LoggedRequest["severity"] {
  if (isSuccess) return "DEBUG";
  return status >= 500 ? "ERROR" : "WARN";
}

function reasonOf({ errorCode, errorSummary, isFinished, status }: EndedRequest): string {
  if (errorCode !== undefined) return `${errorCode}: ${errorSummary}`;
  return isFinished ? `HTTP status ${String(status)}` : GAVE_UP;
}
