import type { Generated } from "kysely";
import type { RevisionSource } from "../../model/revisions.js";
import type { HistoryKind } from "./change-notes.js";

/* The tables of what happened: the System Log with the decisions that it tells of, and the history of routing. */

/** A change of an org's routing, see `store/history/`. */
export interface RevisionRow {
  org_id: string;
  /** That of the org after the change. */
  revision: number;
  /** Never earlier than that of the revision before. */
  published: string;
  source: RevisionSource;
  /** The revision whose state came back. */
  restored: number | null;
  request_id: string;
  client_ip: string | null;
  /** JSON */
  actor: string;
  /** How many records changed. */
  change_count: number;
  /** What it counts for the quota, with its changes. */
  size: number;
  /** JSON: the first changes, without what was before. */
  summary: string;
}

/** What was before a record changed. */
export interface RevisionChangeRow {
  org_id: string;
  revision: number;
  /** From 0. */
  place: number;
  kind: HistoryKind;
  object_id: string;
  name: string;
  event: "create" | "update" | "move" | "delete";
  /** Of a rule. */
  priority_before: number | null;
  priority_after: number | null;
  /** JSON; `null` for a record that is new. */
  before: string | null;
}

/** The end of an org's log. A transaction that appends locks this row until it ends. */
export interface LogHeadRow {
  org_id: string;
  sequence: number;
  published: string;
  /** The day of the last event, in UTC. */
  day: Generated<string>;
  /** The characters of the events of this day. */
  day_size: Generated<number>;
}

/** The place of an event in the log of its org. */
export type LogPlace = Pick<LogHeadRow, "published" | "sequence">;

/** PostgreSQL partitions it by `published`. */
export interface LogEventRow {
  org_id: string;
  /** From 1, in the order in which the org's events were committed. */
  sequence: number;
  /** Never earlier than that of the previous event. */
  published: string;
  uuid: string;
  event_type: string;
  severity: string;
  request_id: string;
  /** The lower-case text that `q` searches; of a request, without what other columns have. */
  search_text: string;
  /** JSON: the event without `uuid` and `published`, or the facts of a request in an array. */
  event: string;
  /** What the routing rules decided for the request. */
  decision_id: string | null;
}

/** An event with what it refers to. */
export interface LogEntryRow extends Omit<LogEventRow, "decision_id"> {
  /** JSON: what the decision adds to the event. */
  decision: string | null;
}

/** What the routing rules decided for requests, once for all events that tell of it. */
export interface RoutingDecisionRow {
  org_id: string;
  /** A hash of the ids that the document has. */
  id: string;
  /** JSON */
  document: string;
  /** The day of the last event that refers to it, in UTC. */
  last_used: string;
}

/** The decisions of each hour: `h0` to `h23`. */
type HourCounts = Record<`h${number}`, number>;

/** How often a rule selected a provider on a day, in UTC. */
export interface DecisionCountRow extends HourCounts {
  org_id: string;
  rule_id: string;
  /** Empty for the org itself. */
  provider_id: string;
  day: string;
  /** The time of the last decision of the day. */
  last: string;
}
