import { createRateCounters, MAX_KEYS } from "../../src/admission/rate-counters.js";
import type { Count, SharedCounter } from "../../src/store/contract/counter.js";

/** A counter for all processes, in memory: without a database, each step of a test is certain. */
class MemoryCounter implements Pick<SharedCounter, "add"> {
  readonly sums = new Map<string, number>();
  calls = 0;
  failure: Error | undefined;

  add = (key: string, points: number, duration: number): Promise<Count> => {
    this.calls++;
    if (this.failure) return Promise.reject(this.failure);
    expect(duration).toBe(Math.round(duration)); // the database takes no fraction
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
    if (count({ kind: "read", key, limit }).consumedPoints <= limit) allowed++;
    await flush();
  }
  return allowed;
}

describe("createRateCounters()", () => {
  it("S8 counts each key by itself", () => {
    const { count, look } = createRateCounters({ window: 60, shared: undefined });
    const read = (key: string) => ({ kind: "read", key, limit: 3 });
    expect(look(read("a")).consumedPoints).toBe(0);
    expect(count(read("a")).consumedPoints).toBe(1);
    expect(count(read("a")).consumedPoints).toBe(2);
    expect(count(read("b")).consumedPoints).toBe(1);
    expect(count({ ...read("a"), kind: "write" }).consumedPoints).toBe(1);
    expect(look(read("a")).consumedPoints).toBe(2);
  });

  it("S8 remembers as many keys as its cap allows, and beyond that forgets the one that counted least", () => {
    const { count } = createRateCounters({ window: 60, shared: undefined, maxKeys: 3 });
    const counts = (...keys: string[]) => keys.map((key) => count({ kind: "read", key, limit: 9 }).consumedPoints);
    expect(counts("a", "a", "b")).toEqual([1, 2, 1]);
    expect(counts("a", "b", "c")).toEqual([3, 2, 1]); // n - 1 and n
    expect(counts("d", "a", "b")).toEqual([1, 4, 3]); // n + 1: c made room
    expect(counts("c")).toEqual([1]);
    expect(counts("d")).toEqual([1]);
  });

  it("S8 a flood of new keys resets no count, neither of its kind nor of others", () => {
    const { count } = createRateCounters({ window: 60, shared: undefined });
    const used = [
      ["failures", "victim"],
      ["discovery", "victim"],
      ["read token", "victim"],
    ].map(([kind, key]) => ({ kind: kind!, key: key!, limit: 9 }));
    for (const key of used) for (let i = 0; i < 3; i++) count(key);
    for (let i = 0; i <= 2 * MAX_KEYS; i++) count({ kind: "discovery", key: String(i), limit: 9 });
    expect(used.map((key) => count(key).consumedPoints)).toEqual([4, 4, 4]);
  });

  it("S8 keeps the memory of a flood of addresses bounded", () => {
    const { count, look } = createRateCounters({ window: 60, shared: undefined });
    const key = (i: number) => ({ kind: "discovery", key: String(i), limit: 9 });
    for (let i = 0; i <= MAX_KEYS; i++) count(key(i));
    expect([0, 1, MAX_KEYS].map((i) => look(key(i)).consumedPoints)).toEqual([0, 1, 1]);
  });

  it("S8 a key whose window has ended makes room first, and begins anew", () => {
    const clock = jest.spyOn(performance, "now").mockReturnValue(0);
    try {
      const { count, look } = createRateCounters({ window: 60, shared: undefined, maxKeys: 2 });
      const key = (name: string) => ({ kind: "discovery", key: name, limit: 9 });
      for (let i = 0; i < 5; i++) count(key("early"));
      clock.mockReturnValue(30_000);
      count(key("late"));
      clock.mockReturnValue(60_000);
      expect(look(key("early")).consumedPoints).toBe(0);
      count(key("new"));
      expect(look(key("late")).consumedPoints).toBe(1);
      expect(count(key("early"))).toEqual({ consumedPoints: 1, msBeforeNext: 60_000 });
    } finally {
      clock.mockRestore();
    }
  });

  it("S8 tells once a window that a key was refused", () => {
    const { count, isFirst } = createRateCounters({ window: 60, shared: undefined });
    const key = { kind: "read", key: "a", limit: 1 };
    count(key);
    expect([isFirst(key), isFirst(key)]).toEqual([true, false]);
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
      expect(shared.sums.get("read key")).toBe(6);
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
