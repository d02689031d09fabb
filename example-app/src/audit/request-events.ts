import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { isUnavailable } from "../store/contract/errors.js";
import { appendRows } from "../store/log/events.js";
import { withoutPeople } from "../store/log/redaction.js";
import { findSpooledFacts } from "../store/log/spooled.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import type { LogColumns } from "../store/contract/dialect.js";
import type { Store } from "../store/store.js";
import { createDecisionLog } from "./decision-log.js";
import type { OmittedRequest } from "./omitted-requests.js";
import type { WaitingEvent } from "./waiting-event.js";

/** The most events of one org per transaction. */
const MAX_BATCH = 500;

/** Number of orgs whose events are written in parallel. */
const CONCURRENCY = 4;

/** By rank, the part of the day's limit after which no more events of requests are taken. */
const PARTS: readonly number[] = [1 / 4, 1 / 2, 1];

/** The org whose log records a request, and whether the request was for it. */
export interface LogOwner {
  readonly orgId: string;
  readonly wasAsked: boolean;
}

export interface EventWriterOptions {
  store: Pick<Store, "write">;
  /** The owner of the log for a host name; `undefined` when no log records requests to it. */
  findOwner: (host: string | undefined) => Promise<LogOwner | undefined>;
  log: Logger;
  /** The log of an org takes no events of requests any more when it got this many characters on a day (in UTC). */
  dayLimit: number;
  /** The type of the org itself among identity providers. */
  orgType: string;
}

/** What became of events. */
interface WriteResult {
  /** The events to retry. */
  readonly left: WaitingEvent[];
  /** Why they must be retried. */
  readonly failure: unknown;
  /** The requests for which the day's limit left no room. */
  readonly refused: OmittedRequest[];
}

/**
 * Writes the events of requests. Events that the database refuses for good are lost, and the program log reports it.
 */
export type EventWriter = (events: readonly WaitingEvent[]) => Promise<WriteResult>;

/** An event, and the row that tells of it in the log where it belongs. */
type Entry = readonly [WaitingEvent, LogColumns];

export function createEventWriter(options: Readonly<EventWriterOptions>): EventWriter {
  const { store, findOwner, log, dayLimit, orgType } = options;
  const usage = createDayUsage(dayLimit);
  const writeBatch = createBatchWriter(store, orgType);

  return async function writeEvents(events) {
    const left: WaitingEvent[] = [];
    const refused: OmittedRequest[] = [];
    let failure: unknown;
    const write = async (logs: Iterable<[string, Entry[]]>): Promise<void> => {
      for (const [orgId, entries] of logs) {
        for (let start = 0; start < entries.length; start += MAX_BATCH) {
          const batch = entries.slice(start, start + MAX_BATCH);
          const error = failure ?? (await append(orgId, batch, refused));
          await setImmediate(); // SQLite writes at once: without it all orgs would have one turn
          if (error === undefined) continue;
          failure = error;
          left.push(...batch.map(([event]) => event));
        }
      }
    };
    try {
      const logs = (await groupByOrg(events)).entries(); // an iterator, which several writers share
      await Promise.all(Array.from({ length: CONCURRENCY }, () => write(logs)));
    } catch (error) {
      failure = error;
      left.push(...events);
    }
    return { left, failure, refused };
  };

  /** @returns the reason for a retry */
  async function append(orgId: string, entries: readonly Entry[], refused: OmittedRequest[]): Promise<unknown> {
    const admitted = entries.filter(([{ rank }]) => usage.admits(orgId, rank));
    try {
      if (admitted.length > 0) usage.note(orgId, await writeBatch(orgId, admitted));
    } catch (error) {
      if (isUnavailable(error)) return error;
      log.error({ err: error, lost: admitted.length, orgId }, "log events lost");
    }
    if (admitted.length < entries.length) {
      const written = new Set(admitted);
      refused.push(...entries.filter((entry) => !written.has(entry)).map(([{ status }]) => ({ orgId, status })));
    }
    return undefined;
  }

  async function groupByOrg(events: readonly WaitingEvent[]): Promise<Map<string, Entry[]>> {
    const logs = new Map<string, Entry[]>();
    for (const event of events) {
      const owner = event.orgId === undefined ? await findOwner(event.host) : { orgId: event.orgId, wasAsked: true };
      if (owner === undefined) continue;
      const entry: Entry = [event, owner.wasAsked ? event.row : (event.bareRow ?? event.row)];
      const entries = logs.get(owner.orgId);
      if (entries) entries.push(entry);
      else logs.set(owner.orgId, [entry]);
    }
    return logs;
  }
}

/** Writes events with what was decided for them. */
function createBatchWriter(store: Pick<Store, "write">, orgType: string) {
  const decisions = createDecisionLog(orgType);

  /** @returns see {@link appendRows} */
  return async (orgId: string, entries: readonly Entry[]): Promise<number> => {
    const { size, commit } = await store.write(async (transaction) => {
      const due = entries.some(([{ isSpooled }]) => isSpooled) ? await selectDue(transaction, orgId, entries) : entries;
      const decided = due.map(([{ decision }]) => decision);
      const { ids, ...noted } = await decisions.note(transaction, orgId, decided);
      const rows = due.map(([, row], index) => ({ ...row, decision_id: ids[index] ?? null }));
      return { ...noted, size: await appendRows(transaction, orgId, rows, noted.size) };
    });
    commit();
    return size;
  };
}

/** Those that are not in the log yet, without people when somebody was erased from it meanwhile. */
async function selectDue(transaction: WriteTransaction, orgId: string, entries: readonly Entry[]): Promise<Entry[]> {
  const rows = entries.map(([, row]) => row);
  const since = Math.min(...entries.map(([{ time }]) => time));
  const { written, isErased } = await findSpooledFacts(transaction, orgId, rows, since);
  const due = entries.filter(([, { uuid }]) => !written.has(uuid));
  if (!isErased) return due;
  return due.map(([event, row]) => [{ ...event, decision: undefined }, withoutPeople(row)]);
}

/** What the logs of orgs got today. Only logs that got much are in memory. */
function createDayUsage(limit: number) {
  const sizes = new Map<string, { day: string; size: number }>();
  const today = (): string => new Date().toISOString().slice(0, 10);

  return {
    admits(orgId: string, rank: number): boolean {
      const usage = sizes.get(orgId);
      if (usage === undefined) return true;
      if (usage.day === today()) return usage.size < limit * (PARTS[rank] ?? Infinity);
      sizes.delete(orgId);
      return true;
    },
    note(orgId: string, size: number): void {
      if (size >= limit * (PARTS[0] ?? 0)) sizes.set(orgId, { day: today(), size });
    },
  };
}
