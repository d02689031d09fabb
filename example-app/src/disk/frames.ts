import { setImmediate } from "node:timers/promises";
import type { Sealer } from "./sealing.js";

/*
 * A frame is four bytes with the length of what follows, then a JSON array, encrypted. What a process that was killed wrote
 * in part does not open.
 */

/** A frame is closed when it has so many characters. To encrypt, or to read it, takes about a millisecond. */
export const FRAME_LENGTH = 131_072;

/** In bytes. */
export const HEAD_LENGTH = 4;

/**
 * Frames with these values, each made in a turn of the event loop.
 *
 * @param values each is JSON
 * @param contextOf where the frame with this number belongs, see {@link Sealer}
 */
export async function* makeFrames(
  values: Iterable<string>,
  sealer: Sealer,
  contextOf: (frame: number) => string,
): AsyncGenerator<Buffer> {
  let frame = 0;
  for (const text of groupTexts(values)) {
    const content = sealer.seal(text, contextOf(frame++));
    const head = Buffer.alloc(HEAD_LENGTH);
    head.writeUInt32BE(content.length);
    yield Buffer.concat([head, content]);
    await setImmediate();
  }
}

function* groupTexts(values: Iterable<string>): Generator<string> {
  let group: string[] = [];
  let length = 0;
  for (const value of values) {
    group.push(value);
    length += value.length;
    if (length < FRAME_LENGTH) continue;
    yield `[${group.join(",")}]`;
    group = [];
    length = 0;
  }
  if (group.length > 0) yield `[${group.join(",")}]`;
}
