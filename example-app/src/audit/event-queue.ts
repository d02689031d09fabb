import { createFairQueue } from "./fair-queue.js";
import { countOmittedRequests, type OmissionReason, type OmittedRequest } from "./omitted-requests.js";
import { createEventWriter, type EventWriterOptions } from "./request-events.js";
import type { EndedRequest } from "./request-facts.js";
import { packRequest, type WaitingEvent } from "./waiting-event.js";

/** This many waiting events trigger a write. */
const FLUSH_COUNT = 500;

/** The longest time that an event waits while the database keeps up. */
const FLUSH_MS = 500;

/** Delay before the attempt after a failed one. */
const RETRY_MS = 1_000;

/** The events that wait and those that are being written take at most this memory, in bytes. */
export const MAX_WAITING = 16 * 1_048_576;

/** The time for which noise is counted, in seconds. */
export const WINDOW = 10;

export interface EventQueueOptions extends EventWriterOptions {
  /** Requests per second and org that fail, without credentials, and have an event each. */
  noiseRate: number;
}

/** Queue of events of requests for the System Log. */
export interface EventQueue {
  /** Never throws and never blocks. */
  add(end: EndedRequest): void;
  /** Write the waiting events. Events that can't be written then are lost. */
  close(): Promise<void>;
  stats(): QueueStats;
}

/** How full the queue is. */
export interface QueueStats {
  /** Events that wait. */
  readonly waiting: number;
  /** What they take, and those that are being written. */
  readonly bytes: number;
  /** Events that found no room, since the start. */
  readonly dropped: number;
}

/**
 * Collect events and write them within a second, many per transaction. While the database is unavailable, events of at
 * most {@link MAX_WAITING} bytes wait, and no org takes the room of the others. Requests without an event of their own
 * are counted in one event for each org and window.
 */
// eslint-disable-next-line max-lines-per-function -- its functions share the queue and its timers
export function createEventQueue({ noiseRate, ...options }: Readonly<EventQueueOptions>): EventQueue {
  const { log } = options;
  const write = createEventWriter(options);
  const waiting = createFairQueue<WaitingEvent>(MAX_WAITING);
  const omitted = countOmittedRequests();
  const noise = new Map<string | undefined, number>(); // by org, in this window
  let dropped = 0; // since the last write
  let droppedBefore = 0;
  let flushing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let windowTimer: NodeJS.Timeout | undefined;
  let isFailing = false;
  let isClosed = false;

  return {
    add(end) {
      const { facts, status, exceeded } = end;
      const orgId = facts.tenant?.org.id;
      const isNoise = !facts.principal && !end.isSuccess && exceeded === undefined;
      if (isNoise && isTooMuch(orgId)) omit({ orgId, status }, "rate");
      else enqueue(packRequest(end));
    },
    async close() {
      endWindow();
      isClosed = true;
      await flushing;
      do await flush();
      while (waiting.count > 0 && !isFailing);
      if (waiting.count > 0) log.error({ lost: waiting.count }, "log events lost");
    },
    stats: () => ({ waiting: waiting.count, bytes: waiting.size, dropped: droppedBefore + dropped }),
  };

  function isTooMuch(orgId: string | undefined): boolean {
    const count = (noise.get(orgId) ?? 0) + 1;
    noise.set(orgId, count);
    beginWindow();
    return count > noiseRate * WINDOW;
  }

  function omit(request: OmittedRequest, reason: OmissionReason): void {
    omitted.add(request, reason);
    beginWindow();
  }

  function beginWindow(): void {
    if (!isClosed) windowTimer ??= setTimeout(endWindow, WINDOW * 1_000).unref();
  }

  function endWindow(): void {
    clearTimeout(windowTimer);
    windowTimer = undefined;
    noise.clear();
    for (const event of omitted.take()) enqueue(event);
  }

  function enqueue(event: WaitingEvent): void {
    for (const lost of waiting.add(event)) {
      dropped++;
      omit(lost, "queue");
    }
    schedule();
  }

  function schedule(): void {
    if (isClosed || flushing || waiting.count === 0) return;
    if (waiting.count >= FLUSH_COUNT && !isFailing) void flush();
    else timer ??= setTimeout(() => void flush(), isFailing ? RETRY_MS : FLUSH_MS).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushing ??= writeWaiting().finally(() => {
      flushing = undefined;
      schedule();
    });
    return flushing;
  }

  async function writeWaiting(): Promise<void> {
    const { left, failure, refused } = await write(waiting.take());
    waiting.giveBack(left);
    if (failure !== undefined && !isFailing) {
      log.warn({ err: failure, waiting: left.length }, "log events are waiting for the database");
    }
    isFailing = failure !== undefined;
    for (const request of refused) omit(request, "day");
    if (dropped > 0) log.warn({ dropped }, "log events dropped: too many are waiting for the database");
    droppedBefore += dropped;
    dropped = 0;
  }
}
