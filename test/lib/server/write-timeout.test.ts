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

/** A connection that so many bytes wait for: how long it stays, in milliseconds, and how often it is looked at. */
async function watch(below: number, above: number, timeout = TIMEOUT): Promise<{ life: number; looks: number }> {
  const start = Date.now();
  let looks = 0;
  const { promise, resolve } = withResolver<{ life: number; looks: number }>();
  const socket = Object.assign(new EventEmitter(), {
    writableLength: above,
    bytesWritten: below + above,
    _handle: {
      get bytesWritten() {
        looks++;
        return below;
      },
      writeQueueSize: below,
    },
    destroy: () => {
      resolve({ life: Date.now() - start, looks });
    },
  });
  createWriteTimeout(timeout)(socket as unknown as Socket);
  await jest.advanceTimersByTimeAsync(2 * timeout);
  socket.emit("close");
  return promise;
}

function withResolver<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((fulfil) => {
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
    const { life } = await watch(below, above);
    expect(life).toBeGreaterThanOrEqual(TIMEOUT);
    expect(life).toBeLessThanOrEqual(1.25 * TIMEOUT);
  });

  it.each([
    [LARGE, 0],
    [LARGE + 1, 0],
    [1, LARGE],
  ])("gives it a quarter of the time when %d and %d bytes wait", async (below, above) => {
    const { life } = await watch(below, above);
    expect(life).toBeGreaterThanOrEqual(TIMEOUT / 4);
    expect(life).toBeLessThanOrEqual(TIMEOUT / 2);
  });

  it.each([4, 400, 4_000, 20_000, 60_000])(
    "looks twice without progress before it ends a connection, when the time is %d ms",
    async (timeout) => {
      const { looks } = await watch(LARGE, 0, timeout);
      expect(looks).toBeGreaterThanOrEqual(3); // the first of which saw where the client was
    },
  );
});
