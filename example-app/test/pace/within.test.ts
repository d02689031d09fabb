import { stat } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { within } from "../../src/pace/within.js";

const never = new Promise<boolean>(() => undefined);

/** A result that comes from outside of this thread. */
const outside = () =>
  new Promise<boolean>((resolve) => {
    stat(__filename, () => {
      resolve(true);
    });
  });

/** No turn of the event loop ends for so many milliseconds. */
function standStill(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

describe("within()", () => {
  it("gives the result, or false after the time", async () => {
    expect(await within(60_000, Promise.resolve(true))).toBe(true);
    expect(await within(60_000, Promise.resolve(false))).toBe(false);
    expect(await within(1, never)).toBe(false);
    await expect(within(60_000, Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  });

  it("takes a result that came while the process stood still", async () => {
    await setImmediate(); // timers come next, before what comes from outside
    const result = within(5, outside());
    standStill(50);
    expect(await result).toBe(true);
  });
});
