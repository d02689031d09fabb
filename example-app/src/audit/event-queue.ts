import { createEventWriter, type EventWriterOptions } from "./request-events.js";
import type { EndedRequest } from "./request-facts.js";

/** This many waiting events trigger a write. */
const FLUSH_COUNT = 500;

/** The longest time that an event waits while the database keeps up. */
const FLUSH_MS = 500;

/** Delay before the attempt after a failed one. */
const RETRY_MS = 1_000;

/** When more events wait, the oldest are dropped. */
export const MAX_WAITING = 10_000;

/** Queue of events of requests for the System Log. */
export interface EventQueue {
  /** Never throws and never blocks. */
  add(end: EndedRequest): void;
  /** Write the waiting events. Events that can't be written then are lost. */
  close(): Promise<void>;
}

/**
 * Collect events and write them within a second, many per transaction. While the database is unavailable, at most
 * {@link MAX_WAITING} events wait; the program log reports how many were dropped.
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
