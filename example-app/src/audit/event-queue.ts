import { createFairQueue } from "./fair-queue.js";
import { countOmittedRequests, type OmissionReason, type OmittedRequest } from "./omitted-requests.js";
import { createEventWriter, type EventWriterOptions } from "./request-events.js";
import type { EndedRequest } from "./request-facts.js";
import { NO_SPOOL, type EventSpool } from "./spool/event-spool.js";
import { packRequest, type WaitingEvent } from "./waiting-event.js";

/**
 * A write begins when each org has this many waiting events on average. If more wait, they live through a garbage collection,
 * which copies them. If fewer do, the transaction of each org costs more than that.
 */
const FLUSH_COUNT_OF_ORG = 50;

/** A write begins at the latest when this many events wait. */
const FLUSH_COUNT = 500;

/** The longest time that an event waits while the database keeps up. */
const FLUSH_MS = 500;

/** Delay before the attempt after a failed one. */
const RETRY_MS = 1_000;

/** The events that wait and those that are being written take at most this memory, in bytes. */
export const MAX_WAITING = 16 * 1_048_576;

/** When events wait on disk already, those in memory follow at the latest when they take so much, in bytes. */
const SPOOLED_SIZE = MAX_WAITING / 2;

/** Time between looks for what other processes left on disk, in milliseconds. */
const ADOPT_MS = 60_000;

/** The time for which noise is counted, in seconds. */
export const WINDOW = 10;

export interface EventQueueOptions extends EventWriterOptions {
  /** Requests per second and org that fail, without credentials, and have an event each. */
  noiseRate: number;
  /** @default NO_SPOOL */
  spool?: EventSpool;
}

/** Queue of events of requests for the System Log. */
export interface EventQueue {
  /** Never throws and never blocks. */
  add(end: EndedRequest): void;
  /** Write the waiting events. Those that can't be written then stay on disk, if there is room, or are lost. */
  close(): Promise<void>;
  stats(): QueueStats;
}

/** How full the queue is. */
export interface QueueStats {
  /** Events that wait. */
  readonly waiting: number;
  /** What they take, and those that are being written. */
  readonly bytes: number;
  /** The bytes of those on disk. */
  readonly spooled: number;
  /** Events that found no room, since the start. */
  readonly dropped: number;
}

/**
 * Collect events and write them within a second, many per transaction. While the database is unavailable, events of at
 * most {@link MAX_WAITING} bytes wait in memory, and no org takes the room of the others; from the second failed write on
 * they go to the spool. Requests without an event of their own
 * are counted in one event for each org and window.
 */
// eslint-disable-next-line max-lines-per-function -- its functions share the queue and its timers
export function createEventQueue({ noiseRate, spool = NO_SPOOL, ...options }: Readonly<EventQueueOptions>): EventQueue {
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
  let isTaken = false; // whether what waited is being written
  let isFull = false; // whether the spool had no room in this attempt
  let spooling: Promise<void> | undefined;
  const adopting = setInterval(adopt, ADOPT_MS).unref();
  adopt();

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
      clearInterval(adopting);
      await flushing;
      do await flush();
      while (waiting.count > 0 && spool.isEmpty && !isFailing);
      await keepWaiting();
      await spool.close();
      if (waiting.count > 0) log.error({ lost: waiting.count }, "log events lost");
    },
    stats: () => ({
      waiting: waiting.count,
      bytes: waiting.size,
      spooled: spool.size,
      dropped: droppedBefore + dropped,
    }),
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
    if (waiting.size > SPOOLED_SIZE && !spool.isEmpty && !isTaken && !isFull) void keepWaiting();
    schedule();
  }

  function schedule(): void {
    if (isClosed || flushing || (waiting.count === 0 && spool.isEmpty)) return;
    const enough = Math.min(FLUSH_COUNT, FLUSH_COUNT_OF_ORG * waiting.orgs);
    if ((waiting.count >= enough || !spool.isEmpty) && !isFailing) void flush();
    else timer ??= setTimeout(() => void flush(), isFailing ? RETRY_MS : FLUSH_MS).unref();
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    flushing ??= writeNext().finally(() => {
      flushing = undefined;
      schedule();
    });
    return flushing;
  }

  async function writeNext(): Promise<void> {
    await spooling;
    isFull = false;
    const wasFailing = isFailing;
    if (spool.isEmpty) {
      isTaken = true;
      const { left, failure } = await writeEvents(waiting.take());
      waiting.giveBack(left);
      isTaken = false;
      note(failure);
    } else {
      note(await spool.writeOldest(writeEvents));
    }
    const isBehind = !isFailing && !spool.isEmpty && waiting.size > SPOOLED_SIZE;
    if ((isFailing && wasFailing) || isBehind) await keepWaiting();
    if (dropped > 0) log.warn({ dropped }, "log events dropped: too many are waiting for the database");
    droppedBefore += dropped;
    dropped = 0;
  }

  async function writeEvents(events: readonly WaitingEvent[]) {
    const result = await write(events);
    for (const request of result.refused) omit(request, "day");
    return result;
  }

  function note(failure: unknown): void {
    if (failure !== undefined && !isFailing) {
      log.warn({ err: failure, waiting: waiting.count }, "log events are waiting for the database");
    }
    isFailing = failure !== undefined;
  }

  function keepWaiting(): Promise<void> {
    spooling ??= spoolWaiting().finally(() => {
      spooling = undefined;
    });
    return spooling;
  }

  async function spoolWaiting(): Promise<void> {
    while (waiting.count > 0 && !isFull) {
      const left = await spool.keep(waiting.take());
      waiting.giveBack(left);
      isFull = left.length > 0;
    }
  }

  function adopt(): void {
    void spool.adopt().then(schedule);
  }
}
