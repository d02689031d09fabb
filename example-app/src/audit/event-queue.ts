import type { Logger } from "pino";
import { isUnavailable } from "../store/errors.js";
import { describeLogEvents } from "../store/log-events.js";
import type { Store } from "../store/store.js";
import { describeEnd, type EndedRequest } from "./ended-request.js";

/** So many waiting events are written at once, and no more of one org in a transaction. */
const FLUSH_COUNT = 500;

/** How long an event waits at most, while the database keeps up. */
const FLUSH_MS = 500;

/** How long after one that failed the next attempt is made. */
const RETRY_MS = 1_000;

/** Of more the oldest are dropped. */
export const MAX_WAITING = 10_000;

/** Orgs whose events are written at the same time. */
const CONCURRENCY = 4;

/** Conflicts with other transactions (PostgreSQL, appendix A, class 40): the same may succeed a moment later. */
const CONFLICT_REGEXP = /^40...$/;

/** Events of requests on their way to the System Log. */
export interface EventQueue {
  /** Never fails and never waits. */
  add(end: EndedRequest): void;
  /** Write what is waiting; what can't be written then is lost. */
  close(): Promise<void>;
}

export interface EventQueueOptions {
  store: Pick<Store, "write">;
  /** The org whose log has a request to this host, or one without; `undefined`: it is in no log. */
  findOrgId: (host: string | undefined) => Promise<string | undefined>;
  log: Logger;
}

/**
 * Collect events and write them within a second, many in a transaction. While the database is away they wait, at most
 * {@link MAX_WAITING} of them; the program log says how many were dropped.
 */
export function createEventQueue({ store, findOrgId, log }: Readonly<EventQueueOptions>): EventQueue {
  let waiting: EndedRequest[] = [];
  let underWay = 0;
  let dropped = 0;
  let flushing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;
  let isClosed = false;

  return {
    add(end) {
      waiting.push(end);
      if (waiting.length + underWay > MAX_WAITING) {
        waiting.shift();
        dropped++;
      }
      if (waiting.length >= FLUSH_COUNT && !isFailing) flush();
      else schedule();
    },
    async close() {
      isClosed = true;
      await flushing;
      flush();
      await flushing;
      if (waiting.length > 0) log.error({ lost: waiting.length }, "log events lost");
    },
  };

  function schedule(): void {
    if (isClosed || flushing || waiting.length === 0) return;
    timer ??= setTimeout(flush, isFailing ? RETRY_MS : FLUSH_MS).unref();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    flushing ??= writeWaiting().finally(() => {
      flushing = undefined;
      if (waiting.length >= FLUSH_COUNT && !isFailing && !isClosed) flush();
      else schedule();
    });
  }

  async function writeWaiting(): Promise<void> {
    const taken = waiting;
    waiting = [];
    underWay = taken.length;
    const left = await writeAll(taken);
    underWay = 0;
    waiting = [...left, ...waiting];
    if (dropped > 0) log.warn({ dropped }, "log events dropped: too many are waiting for the database");
    dropped = 0;
  }

  /** @returns those to try again */
  async function writeAll(ends: readonly EndedRequest[]): Promise<EndedRequest[]> {
    const left: EndedRequest[] = [];
    let failure: unknown;
    const write = async (logs: Iterable<[string, EndedRequest[]]>): Promise<void> => {
      for (const [orgId, events] of logs) {
        for (let start = 0; start < events.length; start += FLUSH_COUNT) {
          const batch = events.slice(start, start + FLUSH_COUNT);
          const error = failure ?? (await append(orgId, batch));
          if (error === undefined) continue;
          failure = error;
          left.push(...batch);
        }
      }
    };
    try {
      const logs = (await groupByOrg(ends)).entries(); // an iterator, so that several can take from it
      await Promise.all(Array.from({ length: CONCURRENCY }, () => write(logs)));
    } catch (error) {
      failure = error;
      left.push(...ends);
    }
    if (failure !== undefined && !isFailing) {
      log.warn({ err: failure, waiting: left.length }, "log events are waiting for the database");
    }
    isFailing = failure !== undefined;
    return left;
  }

  /** @returns why it is to be tried again */
  async function append(orgId: string, ends: readonly EndedRequest[]): Promise<unknown> {
    try {
      await store.write((transaction) => describeLogEvents(transaction, orgId, ends, describeEnd));
    } catch (error) {
      if (isTransient(error)) return error;
      log.error({ err: error, lost: ends.length, orgId }, "log events lost");
    }
    return undefined;
  }

  async function groupByOrg(ends: readonly EndedRequest[]): Promise<Map<string, EndedRequest[]>> {
    const logs = new Map<string, EndedRequest[]>();
    for (const end of ends) {
      const orgId = end.orgId ?? (await findOrgId(end.host));
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
