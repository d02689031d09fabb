import { toEventRow } from "../store/log/events.js";
import type { NewLogEvent } from "../store/log/stored-facts.js";
import { describeJob } from "./log-facts.js";
import { createRequestId } from "./request-ids.js";
import { RANKS, toWaitingEvent, type WaitingEvent } from "./waiting-event.js";

/**
 * Why a request has no event of its own: there were too many without credentials that failed, too many events waited for
 * the database, or the org's log is full for the day.
 */
export type OmissionReason = "rate" | "queue" | "day";

/** A request that has no event of its own. */
export interface OmittedRequest {
  readonly orgId: string | undefined;
  readonly status: number | undefined;
}

/** The members of `debugData` that say why. */
const MEMBERS: Readonly<Record<OmissionReason, string>> = {
  rate: "aboveRate",
  queue: "queueFull",
  day: "dayFull",
};

interface Summary {
  /** When the first request was omitted. */
  readonly since: string;
  total: number;
  /** By member of `debugData`. */
  readonly counts: Map<string, number>;
}

/** Counts requests without an event of their own, by org, reason and status. */
export interface OmittedRequests {
  add(request: OmittedRequest, reason: OmissionReason): void;
  /** An event for each org, which tells how many there were. Starts counting again. */
  take(): WaitingEvent[];
}

export function countOmittedRequests(): OmittedRequests {
  const summaries = new Map<string | undefined, Summary>();

  return {
    add({ orgId, status }, reason) {
      let summary = summaries.get(orgId);
      if (!summary) {
        summary = { since: new Date().toISOString(), total: 0, counts: new Map() };
        summaries.set(orgId, summary);
      }
      summary.total++;
      for (const member of [MEMBERS[reason], `status${status ?? "None"}`]) {
        summary.counts.set(member, (summary.counts.get(member) ?? 0) + 1);
      }
    },
    take() {
      const events = Array.from(summaries, ([orgId, summary]) =>
        toWaitingEvent({ orgId, rank: RANKS.summary, row: toEventRow(describeSummary(summary)) }),
      );
      summaries.clear();
      return events;
    },
  };
}

function describeSummary({ since, total, counts }: Summary): NewLogEvent {
  const id = createRequestId();
  const { debugContext, ...job } = describeJob(id, { id: "system", type: "SystemPrincipal", displayName: "System" });
  const numbers = Array.from(counts, ([member, count]): [string, string] => [member, String(count)]);
  return {
    ...job,
    debugContext: {
      debugData: {
        ...debugContext.debugData,
        since,
        requests: String(total),
        ...Object.fromEntries(numbers.sort(([a], [b]) => (a < b ? -1 : 1))),
      },
    },
    eventType: "system.log.summary",
    severity: "WARN",
    displayMessage: "Requests without an event of their own",
    outcome: { result: "FAILURE", reason: `${total} requests have no event of their own` },
    target: null,
  };
}
