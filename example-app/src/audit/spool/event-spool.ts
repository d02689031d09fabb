import { rename, rm, stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { Sealer } from "../../disk/sealing.js";
import type { WaitingEvent } from "../waiting-event.js";
import {
  adopt,
  becomeOwner,
  isOlder,
  removeUnreadable,
  segmentOf,
  UNREADABLE,
  type Adoption,
  type Owner,
} from "./owner.js";
import { createSegment, formatEvent, readSegment, type SegmentWriter } from "./segment-file.js";

/** A segment that has so many bytes gets no more. One segment at a time is in memory. */
const SEGMENT_BYTES = 4_194_304;

/** The last events may make it as much longer as all that wait in memory. A longer file is not ours. */
const MAX_SEGMENT_BYTES = 16 * SEGMENT_BYTES;

/** Characters of JSON that are made in one turn of the event loop, in about a millisecond. */
const TURN_LENGTH = 131_072;

/** Events on disk, until the database takes them. None of its functions rejects. */
export interface EventSpool {
  /** In bytes, with what a process that has ended left. */
  readonly size: number;
  readonly isEmpty: boolean;
  /** Take events to disk. @returns those for which there is no room */
  keep(events: readonly WaitingEvent[]): Promise<WaitingEvent[]>;
  /** Write the oldest segment, and remove it. @returns why the events must be written again */
  writeOldest(write: SegmentConsumer): Promise<unknown>;
  /** Take over what a process that has ended left, unless there is something already. */
  adopt(): Promise<void>;
  /** What is left waits for another process. */
  close(): Promise<void>;
}

/** Writes events to the database; those that are left must be written again. */
type SegmentConsumer = (
  events: readonly WaitingEvent[],
) => Promise<{ left: readonly WaitingEvent[]; failure: unknown }>;

export interface EventSpoolOptions {
  readonly folder: string;
  /** In bytes, at most. */
  readonly limit: number;
  /** How long the log keeps events; older ones are removed unwritten. */
  readonly days: number;
  readonly sealer: Sealer;
  readonly log: Pick<Logger, "warn" | "error">;
}

interface Segment {
  readonly path: string;
  /** In bytes, all and by org. */
  size: number;
  readonly sizes: Map<string | undefined, number>;
  /** While events are appended. */
  writer?: SegmentWriter | undefined;
  /** Those that are not written to the database yet, once it was read. */
  events?: readonly WaitingEvent[];
}

/** For a server that keeps no events on disk. */
export const NO_SPOOL: EventSpool = {
  size: 0,
  isEmpty: true,
  keep: (events) => Promise.resolve([...events]),
  writeOldest: () => Promise.resolve(undefined),
  adopt: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/**
 * Events of an org are refused when they would take more than what is left free for all others. So one org alone gets half of
 * the limit, and there is always room for those that have none yet.
 */
// eslint-disable-next-line max-lines-per-function -- its functions share the segments
export function createEventSpool({ folder, limit, days, sealer, log }: EventSpoolOptions): EventSpool {
  const segments: Segment[] = [];
  let size = 0;
  const sizes = new Map<string | undefined, number>(); // by org, of what this process wrote
  let owner: Owner | undefined;
  let adopted: Adoption | undefined;
  let count = 0;
  let reported: string | undefined;
  let last: Promise<unknown> = Promise.resolve();

  return {
    get size() {
      return size;
    },
    get isEmpty() {
      return segments.length === 0;
    },
    keep: (events) => inTurn(() => keep(events)),
    async writeOldest(write) {
      const segment = await inTurn(loadOldest);
      if (!segment?.events) return undefined;
      const { left, failure } = await write(segment.events);
      segment.events = left;
      if (failure === undefined) await inTurn(() => finish(segment));
      return failure;
    },
    adopt: () => inTurn(adoptFiles),
    close: () =>
      inTurn(async () => {
        await endSegment();
        await release();
      }),
  };

  async function keep(events: readonly WaitingEvent[]): Promise<WaitingEvent[]> {
    const { admitted, texts, refused } = await admit(events);
    if (texts.length === 0) return refused;
    try {
      await append(await openSegment(), admitted, texts);
      reported = undefined;
      return refused;
    } catch (error) {
      report(error, "log events can't be kept on disk: they wait in memory");
      await endSegment();
      return [...events];
    }
  }

  /** Choose those for which there is room. */
  async function admit(events: readonly WaitingEvent[]) {
    const admitted = new Map<string | undefined, number>();
    const texts: string[] = [];
    const refused: WaitingEvent[] = [];
    let total = 0;
    let inThisTurn = 0;
    for (const event of events) {
      const { orgId } = event;
      const own = admitted.get(orgId) ?? 0;
      const room = limit - size - total - own - (sizes.get(orgId) ?? 0);
      const text = room > 0 ? formatEvent(event) : "";
      const length = Buffer.byteLength(text);
      if (length === 0 || length > room) refused.push(event);
      else {
        texts.push(text);
        admitted.set(orgId, own + length);
        total += length;
      }
      inThisTurn += length + 1;
      if (inThisTurn < TURN_LENGTH) continue;
      inThisTurn = 0;
      await setImmediate();
    }
    return { admitted, texts, refused };
  }

  async function loadOldest(): Promise<Segment | undefined> {
    const [segment] = segments;
    if (segment?.writer) await endSegment();
    if (!segment || segment.events || segment !== segments[0]) return segment;
    try {
      segment.events = await readEvents(segment);
    } catch (error) {
      report(error, "log events on disk can't be read");
      await rename(segment.path, segment.path + UNREADABLE).catch(() => undefined);
      await forget(segment);
    }
    return segment;
  }

  /** A file that can't be removed is written again by a later process, which does no harm. */
  async function finish(segment: Segment): Promise<void> {
    await rm(segment.path, { force: true }).catch((error: unknown) => {
      report(error, "log events on disk can't be removed");
    });
    await forget(segment);
  }

  async function adoptFiles(): Promise<void> {
    if (segments.length > 0) return;
    try {
      await removeUnreadable(folder, days);
      adopted = await adopt(folder, owner);
      for (const path of adopted?.segments ?? []) add({ path, size: (await stat(path)).size, sizes: new Map() });
      if (adopted) log.warn({ folder, bytes: size }, "log events that another process left on disk are written");
    } catch (error) {
      report(error, "log events that another process left on disk can't be read");
    }
  }

  async function append(segment: Segment, admitted: ReadonlyMap<string | undefined, number>, texts: readonly string[]) {
    const { writer } = segment;
    if (!writer) throw new Error("the segment is closed");
    const before = writer.size;
    await writer.append(texts);
    segment.size += writer.size - before;
    size += writer.size - before;
    for (const [orgId, bytes] of admitted) {
      segment.sizes.set(orgId, (segment.sizes.get(orgId) ?? 0) + bytes);
      sizes.set(orgId, (sizes.get(orgId) ?? 0) + bytes);
    }
    if (writer.size >= SEGMENT_BYTES) await endSegment();
  }

  async function openSegment(): Promise<Segment> {
    const newest = segments.at(-1);
    if (newest?.writer) return newest;
    if (segments.length === 0) log.warn({ folder }, "log events wait on disk for the database");
    owner ??= await becomeOwner(folder);
    const path = segmentOf(folder, owner, ++count);
    const segment: Segment = { path, size: 0, sizes: new Map(), writer: await createSegment(path, sealer) };
    add(segment);
    return segment;
  }

  /** Nothing more is appended to the newest. */
  async function endSegment(): Promise<void> {
    const newest = segments.at(-1);
    const writer = newest?.writer;
    if (!writer) return;
    newest.writer = undefined;
    await writer.close().catch(() => undefined);
    if (newest.size > 0) return;
    await rm(newest.path, { force: true }).catch(() => undefined);
    await forget(newest);
  }

  async function readEvents({ path, size: bytes }: Segment): Promise<readonly WaitingEvent[]> {
    if (bytes > MAX_SEGMENT_BYTES) throw new Error("the file is too large for a segment");
    if (await isOlder(path, days)) {
      log.warn({ file: path, days }, "log events on disk are too old: they are removed");
      return [];
    }
    const { events, unreadable } = await readSegment(path, sealer);
    if (unreadable > 0) log.error({ file: path, bytes: unreadable }, "log events lost: a part of the file is damaged");
    if (unreadable > 0 && events.length === 0)
      throw new Error("nothing in the file opens with the secrets of the server");
    return events;
  }

  function add(segment: Segment): void {
    segments.push(segment);
    size += segment.size;
  }

  async function forget(segment: Segment): Promise<void> {
    segments.splice(segments.indexOf(segment), 1);
    size -= segment.size;
    for (const [orgId, bytes] of segment.sizes) {
      const left = (sizes.get(orgId) ?? 0) - bytes;
      if (left > 0) sizes.set(orgId, left);
      else sizes.delete(orgId);
    }
    if (segments.length > 0) return;
    await release();
    log.warn({ folder }, "no log events wait on disk any more");
  }

  async function release(): Promise<void> {
    const owners = [owner, adopted];
    owner = adopted = undefined;
    for (const each of owners) {
      await each?.release().catch((error: unknown) => {
        report(error, "a lock can't be removed");
      });
    }
  }

  /** Work on the files, after that which was begun before. It does not reject. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result;
    return result;
  }

  function report(error: unknown, message: string): void {
    if (reported !== message) log.error({ err: error, folder }, message);
    reported = message;
  }
}
