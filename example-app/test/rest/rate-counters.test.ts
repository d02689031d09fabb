import { createRateCounters, MAX_KEYS } from "../../src/rest/rate-counters.js";
import type { Count, SharedCounter } from "../../src/store/shared-counter.js";

/** A counter for all processes, in memory: without a database, each step of a test is certain. */
class MemoryCounter implements Pick<SharedCounter, "add"> {
  readonly sums = new Map<string, number>();
  calls = 0;
  failure: Error | undefined;

  add = (key: string, points: number, duration: number): Promise<Count> => {
    this.calls++;
    if (this.failure) return Promise.reject(this.failure);
    const consumedPoints = (this.sums.get(key) ?? 0) + points;
    this.sums.set(key, consumedPoints);
    return Promise.resolve({ consumedPoints, msBeforeNext: duration });
  };
}

const flush = () => new Promise((resolve) => setImmediate(resolve));

/** Send `requests` one after the other; how many were within the limit. */
async function send(
  { count }: ReturnType<typeof createRateCounters>,
  requests: number,
  limit: number,
  key = "key",
): Promise<number> {
  let allowed = 0;
  for (let i = 0; i < requests; i++) {
    if ((await count(key, limit)).consumedPoints <= limit) allowed++;
    await flush();
  }
  return allowed;
}

describe("createRateCounters()", () => {
  it("S8 counts each key by itself", async () => {
    const { count } = createRateCounters({ window: 60, shared: undefined });
    expect((await count("a", 3)).consumedPoints).toBe(1);
    expect((await count("a", 3)).consumedPoints).toBe(2);
    expect((await count("b", 3)).consumedPoints).toBe(1);
  });

  it("S8 remembers as many keys as its cap allows, and forgets the oldest beyond that", async () => {
    const { count } = createRateCounters({ window: 60, shared: undefined, maxKeys: 3 });
    const counts = async (...keys: string[]) =>
      Promise.all(keys.map(async (key) => (await count(key, 9)).consumedPoints));
    expect(await counts("a", "b")).toEqual([1, 1]);
    expect(await counts("a", "b", "c")).toEqual([2, 2, 1]); // n - 1 and n
    expect(await counts("a", "b", "c")).toEqual([3, 3, 2]);
    expect(await counts("d", "b", "c")).toEqual([1, 4, 3]); // n + 1
    expect(await counts("a", "c")).toEqual([1, 4]);
    expect(await counts("b")).toEqual([1]);
  });

  it("S8 keeps the memory of a flood of addresses bounded", async () => {
    const { count } = createRateCounters({ window: 60, shared: undefined });
    for (let i = 0; i <= MAX_KEYS; i++) await count(String(i), 9);
    expect((await count("1", 9)).consumedPoints).toBe(2);
    expect((await count("0", 9)).consumedPoints).toBe(1);
  });

  it("S8 lets several processes together pass the limit by a slice of each further one at most", async () => {
    for (const limit of [1, 19, 20, 100, 1_000]) {
      const shared = new MemoryCounter();
      const processes = Array.from({ length: 4 }, () => createRateCounters({ window: 60, shared }));
      let allowed = 0;
      for (let round = 0; round < limit; round++) {
        for (const each of processes) allowed += await send(each, 1, limit);
      }
      expect(allowed).toBeGreaterThanOrEqual(limit);
      expect(allowed).toBeLessThanOrEqual(limit + 3 * Math.ceil(limit / 20));
    }
  });

  it("S8 tells a process that comes late what the others have counted", async () => {
    const shared = new MemoryCounter();
    const [first, second] = [1, 2].map(() => createRateCounters({ window: 60, shared }));
    expect(await send(first!, 200, 100)).toBe(100);
    expect(await send(second!, 200, 100)).toBeLessThanOrEqual(5);
  });

  it("asks the database for few requests, and for none of keys that are used little", async () => {
    const shared = new MemoryCounter();
    const counters = createRateCounters({ window: 60, shared });
    await send(counters, 4, 100);
    expect(shared.calls).toBe(0);
    await send(counters, 5_000, 1_000, "other");
    expect(shared.calls).toBeGreaterThan(0);
    expect(shared.calls).toBeLessThan(100);
  });

  it("S8 counts alone while the database is away, and reports what it counted afterwards", async () => {
    const shared = new MemoryCounter();
    shared.failure = new Error("no database");
    const counters = createRateCounters({ window: 60, shared });
    expect(await send(counters, 50, 20)).toBe(20);
    expect(shared.calls).toBe(1); // it pauses after a failure

    const clock = jest.spyOn(performance, "now").mockReturnValue(performance.now() + 2_000);
    try {
      const back = createRateCounters({ window: 60, shared });
      await send(back, 5, 20);
      shared.failure = undefined;
      clock.mockReturnValue(performance.now() + 2_000);
      await send(back, 1, 20);
      expect(shared.sums.get("key")).toBe(6);
    } finally {
      clock.mockRestore();
    }
  });

  it("has no more reports under way than a bound, whatever the database does", async () => {
    let calls = 0;
    const shared = {
      add: () => {
        calls++;
        return new Promise<Count>(() => undefined); // a database that never answers
      },
    };
    const counters = createRateCounters({ window: 60, shared });
    for (let i = 0; i < 100; i++) expect(await send(counters, 3, 2, String(i))).toBe(2);
    expect(calls).toBe(8);
  });
});
