import { open, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setImmediate } from "node:timers/promises";
import { HEAD_LENGTH, makeFrames } from "../../disk/frames.js";
import type { Sealer } from "../../disk/sealing.js";
import { toWaitingEvent, type WaitingEvent } from "../waiting-event.js";

/* A segment is a file of frames of events, which are only appended. A frame that does not open is skipped. */

/** Only the user who runs the server can read and write. */
const PRIVATE_MODE = 0o600;

/** Members that a file has of an event. */
type SpooledEvent = Pick<WaitingEvent, "orgId" | "host" | "status" | "rank" | "time" | "row" | "bareRow" | "decision">;

/** A file to which frames are appended. */
export interface SegmentWriter {
  /** In bytes. */
  readonly size: number;
  /** All of the events or, when it rejects, none. */
  append(events: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** The text of an event in a frame. */
export function formatEvent(event: WaitingEvent): string {
  const { orgId, host, status, rank, time, row, bareRow, decision } = event;
  return JSON.stringify({ orgId, host, status, rank, time, row, bareRow, decision } satisfies SpooledEvent);
}

export async function createSegment(path: string, sealer: Sealer): Promise<SegmentWriter> {
  const handle = await open(path, "ax", PRIVATE_MODE);
  let size = 0;
  let frames = 0;

  return {
    get size() {
      return size;
    },
    async append(events) {
      const sealed: Buffer[] = [];
      const before = frames;
      for await (const frame of makeFrames(events, sealer, (n) => contextOf(path, before + n))) sealed.push(frame);
      const bytes = Buffer.concat(sealed);
      try {
        await handle.appendFile(bytes);
        await handle.datasync();
      } catch (error) {
        await handle.truncate(size).catch(() => undefined); // what is left of it does not open
        throw error;
      }
      size += bytes.length;
      frames += sealed.length;
    },
    close: () => handle.close(),
  };
}

/** What a segment says. */
interface SegmentContent {
  readonly events: WaitingEvent[];
  /** The bytes that don't open. */
  readonly unreadable: number;
}

export async function readSegment(path: string, sealer: Sealer): Promise<SegmentContent> {
  const content = await readFile(path);
  const events: WaitingEvent[] = [];
  let unreadable = 0;
  let start = 0;
  for (let frame = 0; start + HEAD_LENGTH <= content.length; frame++) {
    const end = start + HEAD_LENGTH + content.readUInt32BE(start);
    const text = sealer.open(content.subarray(start + HEAD_LENGTH, end), contextOf(path, frame));
    if (text === undefined) unreadable += Math.min(end, content.length) - start;
    else
      for (const event of JSON.parse(text) as SpooledEvent[])
        events.push(toWaitingEvent({ ...event, isSpooled: true }));
    start = end;
    await setImmediate();
  }
  return { events, unreadable: unreadable + Math.max(0, content.length - start) };
}

const contextOf = (path: string, frame: number): string => `${basename(path)} ${frame}`;
