import { createEventWriter, type EventWriterOptions } from "./request-events.js";
import type { EndedRequest } from "./request-facts.js";

/** So many waiting events are written at once. */
const FLUSH_COUNT = 500;

/** How long an event waits at most, while the database keeps up. */
const FLUSH_MS = 500;

/** How long after one that failed the next attempt is made. */
const RETRY_MS = 1_000;

/** Of more the oldest are dropped. */
export const MAX_WAITING = 10_000;

/** Events of requests on their way to the System Log. */
export interface EventQueue {
  /** Never fails and never waits. */
  add(end: EndedRequest): void;
  /** Write what is waiting; what can't be written then is lost. */
  close(): Promise<void>;
}

/**
 * Collect events and write them within a second, many in a transaction. While the database is away they wait, at most
 * {@link MAX_WAITING} of them; the program log says how many were dropped.
 */
export function createEventQueue(options: Readonly<EventWriterOptions>): EventQueue {
  const { log } = options;
  const write = createEventWriter(options);
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
      schedule();
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
    if (waiting.length >= FLUSH_COUNT && !isFailing) flush();
    else timer ??= setTimeout(flush, isFailing ? RETRY_MS : FLUSH_MS).unref();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    flushing ??= writeWaiting().finally(() => {
      flushing = undefined;
      schedule();
    });
  }

  async function writeWaiting(): Promise<void> {
    const taken = waiting;
    waiting = [];
    underWay = taken.length;
    const { left, failure } = await write(taken);
    if (failure !== undefined && !isFailing) {
      log.warn({ err: failure, waiting: left.length }, "log events are waiting for the database");
    }
    isFailing = failure !== undefined;
    underWay = 0;
    waiting = [...left, ...waiting];
    if (dropped > 0) log.warn({ dropped }, "log events dropped: too many are waiting for the database");
    dropped = 0;
  }
}
