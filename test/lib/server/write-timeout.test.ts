import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { createWriteTimeout } from "../../../lib/server/write-timeout.js";

const TIMEOUT = 60_000;
const LARGE = 1_048_576;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** A connection that so many bytes wait for, and how long it stays, in milliseconds. */
async function lifeOf(below: number, above: number): Promise<number> {
  const start = Date.now();
  const { promise, resolve } = withResolver();
  const socket = Object.assign(new EventEmitter(), {
    writableLength: above,
    bytesWritten: below + above,
    _handle: { bytesWritten: below, writeQueueSize: below },
    destroy: () => {
      resolve(Date.now() - start);
    },
  });
  createWriteTimeout(TIMEOUT)(socket as unknown as Socket);
  await jest.advanceTimersByTimeAsync(2 * TIMEOUT);
  socket.emit("close");
  return promise;
}

function withResolver() {
  let resolve!: (value: number) => void;
  const promise = new Promise<number>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

describe("createWriteTimeout()", () => {
  it.each([
    [1, 0],
    [LARGE - 1, 0],
    [LARGE - 1, LARGE - 1],
  ])("gives a client that takes nothing the whole time when %d and %d bytes wait", async (below, above) => {
    const life = await lifeOf(below, above);
    expect(life).toBeGreaterThanOrEqual(TIMEOUT);
    expect(life).toBeLessThanOrEqual(1.25 * TIMEOUT);
  });

  it.each([
    [LARGE, 0],
    [LARGE + 1, 0],
    [1, LARGE],
  ])("gives it a quarter of the time when %d and %d bytes wait", async (below, above) => {
    const life = await lifeOf(below, above);
    expect(life).toBeGreaterThanOrEqual(TIMEOUT / 4);
    expect(life).toBeLessThanOrEqual(TIMEOUT / 2);
  });
});
