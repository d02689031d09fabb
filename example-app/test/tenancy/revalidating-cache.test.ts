import type { Outage } from "../../src/tenancy/outage.js";
import {
  createRevalidatingCache,
  MAX_REFRESHED,
  type RevalidatingCacheOptions,
} from "../../src/tenancy/revalidating-cache.js";

interface Value {
  of: string;
  version: number;
}

type TestOptions = Partial<
  Pick<RevalidatingCacheOptions<string, Value>, "maxEntries" | "maxBytes" | "orgOf" | "outage" | "hears">
>;

/** A cache over a source that counts, with a clock that is set by hand. */
function createTestCache({ maxEntries = 100, maxBytes = 10_000, orgOf = (key) => key, ...rest }: TestOptions = {}) {
  const source = { version: 1, loads: 0, failing: false, absent: false, bytes: 10, gate: Promise.resolve() };
  const clock = { now: 0 };
  const knownValues: (Value | undefined)[] = [];
  const cache = createRevalidatingCache<string, Value>({
    maxEntries,
    maxBytes,
    maxAge: 5_000,
    ...rest,
    orgOf,
    sizeOf: () => source.bytes,
    now: () => clock.now,
    async load(of, known) {
      source.loads++;
      knownValues.push(known);
      const { version, absent } = source; // what the database says now
      await source.gate;
      if (source.failing) throw new Error("gone");
      if (absent) return undefined;
      return known?.version === version ? known : { of, version };
    },
  });
  return { cache, source, clock, knownValues };
}

/** A gate for `source.gate`, closed until `open` is called. */
function createGate(): { gate: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  return { gate, open };
}

describe("createRevalidatingCache()", () => {
  it("loads a value once and then has it at once, until it is too old", async () => {
    const { cache, source, clock } = createTestCache();
    expect(await cache.get("a")).toEqual({ of: "a", version: 1 });
    clock.now = 4_999;
    expect(cache.get("a")).toEqual({ of: "a", version: 1 });
    expect(source.loads).toBe(1);
    clock.now = 5_000;
    source.version = 2;
    expect(await cache.get("a")).toEqual({ of: "a", version: 2 });
  });

  it("asks after half a second while changes may be missed, and has values of before when they are heard of again", async () => {
    let isHeard = false;
    const { cache, source, clock } = createTestCache({ hears: () => isHeard });
    await cache.get("a");
    clock.now = 499;
    expect(cache.get("a")).toEqual({ of: "a", version: 1 });
    clock.now = 500;
    source.version = 2;
    expect(await cache.get("a")).toEqual({ of: "a", version: 2 });
    clock.now = 5_000;
    isHeard = true;
    expect(cache.get("a")).toEqual({ of: "a", version: 2 });
    expect(source.loads).toBe(2);
  });

  it("counts the age from when the load began", async () => {
    const { cache, source, clock } = createTestCache();
    const { gate, open } = createGate();
    source.gate = gate;
    const first = cache.get("a");
    await Promise.resolve();
    clock.now = 4_000;
    open();
    await first;
    clock.now = 5_000;
    expect(cache.get("a")).toBeInstanceOf(Promise);
  });

  it("hands the known value to the load, which may keep it", async () => {
    const { cache, clock, knownValues } = createTestCache();
    const first = await cache.get("a");
    clock.now = 5_000;
    expect(await cache.get("a")).toBe(first);
    expect(knownValues).toEqual([undefined, first]);
    expect(cache.get("a")).toBe(first);
  });

  it("loads once for all who ask at the same time", async () => {
    const { cache, source } = createTestCache();
    await Promise.all(Array.from({ length: 50 }, async () => cache.get("a")));
    expect(source.loads).toBe(1);
  });

  it("trusts nothing from before a change", async () => {
    const { cache, source } = createTestCache();
    await cache.get("a");
    source.version = 2;
    cache.expire();
    expect(await cache.get("a")).toEqual({ of: "a", version: 2 });
  });

  it("gives those who ask after a change no answer of a load from before it", async () => {
    const { cache, source, knownValues } = createTestCache();
    const { gate, open } = createGate();
    source.gate = gate;
    const before = cache.get("a");
    await Promise.resolve();
    source.version = 2;
    cache.expire();
    const after = cache.get("a");
    const alsoAfter = cache.get("a");
    open();
    expect(await before).toEqual({ of: "a", version: 1 });
    expect(await after).toEqual({ of: "a", version: 2 });
    expect(await alsoAfter).toBe(await after);
    expect(source.loads).toBe(2);
    expect(knownValues[1]).toEqual({ of: "a", version: 1 });
    expect(cache.get("a")).toEqual({ of: "a", version: 2 });
  });

  it("does not take the result of a load for fresh when something changed meanwhile", async () => {
    const { cache, source } = createTestCache();
    const { gate, open } = createGate();
    source.gate = gate;
    const before = cache.get("a");
    await Promise.resolve();
    source.version = 2;
    cache.expire();
    open();
    await before;
    expect(await cache.get("a")).toEqual({ of: "a", version: 2 });
  });

  it("leaves alone what a change does not affect, and trusts no absence after it", async () => {
    const { cache, source } = createTestCache({ orgOf: (_, value) => value?.of });
    await cache.get("a");
    source.absent = true;
    expect(await cache.get("b")).toBeUndefined();
    expect(cache.get("b")).toBeUndefined();
    source.absent = false;
    source.version = 2;
    cache.expire("z");
    expect(cache.get("a")).toEqual({ of: "a", version: 1 });
    expect(await cache.get("b")).toEqual({ of: "b", version: 2 });
    cache.expire("a");
    expect(cache.get("b")).toEqual({ of: "b", version: 2 });
    expect(await cache.get("a")).toEqual({ of: "a", version: 2 });
  });

  it("revalidates what changed, however many others change after it", async () => {
    const { cache, source, clock } = createTestCache();
    await cache.get("a");
    await cache.get("b");
    source.version = 2;
    cache.expire("a");
    for (let other = 0; other < 1_000; other++) {
      clock.now += 4;
      cache.expire(`other ${other}`);
    }
    expect(cache.get("b")).toEqual({ of: "b", version: 1 });
    expect(await cache.get("a")).toEqual({ of: "a", version: 2 });
  });

  it("forgets a value that is gone", async () => {
    const { cache, source } = createTestCache();
    await cache.get("a");
    source.absent = true;
    cache.expire();
    expect(await cache.get("a")).toBeUndefined();
    expect(cache.get("a")).toBeUndefined();
  });

  it("has what it knows during an outage, if that is not too old", async () => {
    const ages: number[] = [];
    const outage: Outage = {
      isOn: () => true,
      covers: (age) => ages.push(age) > 0 && age < 60_000,
      end: () => undefined,
      bridge(_lookUp, { value, onUse }) {
        onUse();
        return value;
      },
    };
    const { cache, source, clock } = createTestCache({ outage });
    await cache.get("a");
    source.failing = true;
    for (const age of [5_000, 59_999]) {
      clock.now = age;
      expect(cache.get("a")).toEqual({ of: "a", version: 1 });
    }
    expect([ages, source.loads]).toEqual([[5_000, 59_999], 1]);
    clock.now = 60_000;
    await expect(cache.get("a")).rejects.toThrow("gone");
    await expect(cache.get("b")).rejects.toThrow("gone"); // nothing is known of it
    expect(cache.stats()).toMatchObject({ hits: 0, misses: 3, stale: 2 });
  });

  it("loads again what is known of an org that changed, and nothing else", async () => {
    const { cache, source } = createTestCache({ orgOf: (key) => key.slice(0, 1) });
    for (const key of ["a/1", "a/2", "b/1"]) await cache.get(key);
    await cache.refresh("a");
    expect(source.loads).toBe(3); // nothing has changed
    source.version = 2;
    cache.expire("a");
    await cache.refresh("a");
    expect(source.loads).toBe(5);
    expect([cache.get("a/1"), cache.get("a/2")]).toEqual([
      { of: "a/1", version: 2 },
      { of: "a/2", version: 2 },
    ]);
    await cache.refresh("c");
    expect([source.loads, Array.from(cache.orgs())]).toEqual([5, ["a", "b"]]);
  });

  it("loads again at most so many values of an org: those that were loaded last", async () => {
    for (const count of [MAX_REFRESHED - 1, MAX_REFRESHED, MAX_REFRESHED + 1]) {
      const { cache, source } = createTestCache({ orgOf: () => "a" });
      for (let index = 0; index < count; index++) await cache.get(String(index));
      source.version = 2;
      cache.expire("a");
      await cache.refresh("a");
      expect(source.loads - count).toBe(Math.min(count, MAX_REFRESHED));
      expect(cache.get(String(count - 1))).toMatchObject({ version: 2 });
    }
  });

  it("forgets the org of a value that was evicted, or that belongs to another org now", async () => {
    const { cache, source } = createTestCache({
      maxEntries: 1,
      orgOf: (key, value) => value && `${key}${value.version}`,
    });
    await cache.get("a");
    await cache.get("b");
    expect(Array.from(cache.orgs())).toEqual(["b1"]);
    source.version = 2;
    cache.expire("b1");
    await cache.refresh("b1");
    expect(Array.from(cache.orgs())).toEqual(["b2"]);
  });

  it("fails those who wait for a load that fails, and tries again for the next", async () => {
    const { cache, source, clock } = createTestCache();
    await cache.get("a");
    clock.now = 5_000;
    source.failing = true;
    const both = [cache.get("a"), cache.get("a")];
    for (const result of both) await expect(result).rejects.toThrow("gone");
    source.failing = false;
    expect(await cache.get("a")).toEqual({ of: "a", version: 1 });
  });

  it("goes on after a change although the load from before it failed", async () => {
    const { cache, source } = createTestCache();
    const { gate, open } = createGate();
    source.gate = gate;
    source.failing = true;
    const before = cache.get("a");
    await Promise.resolve();
    cache.expire();
    const after = cache.get("a");
    open();
    await expect(before).rejects.toThrow("gone");
    source.failing = false;
    expect(await after).toEqual({ of: "a", version: 1 });
  });

  it("keeps as many values as it may, those that were looked up last", async () => {
    const { cache, source, clock } = createTestCache({ maxEntries: 3 });
    for (const key of ["a", "b", "c"]) await cache.get(key);
    clock.now = 5_000;
    await cache.get("a");
    clock.now = 5_001;
    await cache.get("d");
    source.loads = 0;
    expect(cache.get("a")).toEqual({ of: "a", version: 1 });
    expect(cache.get("d")).toEqual({ of: "d", version: 1 });
    await cache.get("b");
    expect(source.loads).toBe(1);
  });

  it("does not load again for a change of another key during the load", async () => {
    const { cache, source } = createTestCache();
    const { gate, open } = createGate();
    source.gate = gate;
    const before = cache.get("a");
    await Promise.resolve();
    cache.expire("z");
    open();
    expect(cache.get("a")).toBeInstanceOf(Promise);
    await before;
    expect(cache.get("a")).toEqual({ of: "a", version: 1 });
    expect(source.loads).toBe(1);
  });

  it("loads twice for ten changes in a burst: the first one, and all others together", async () => {
    const { cache, source } = createTestCache();
    const { gate, open } = createGate();
    source.gate = gate;
    const values = [cache.get("a")];
    for (let change = 2; change <= 10; change++) {
      await Promise.resolve();
      source.version = change;
      cache.expire();
      values.push(cache.get("a"));
    }
    open();
    const [first, ...others] = await Promise.all(values.map(async (value) => value));
    expect(first).toEqual({ of: "a", version: 1 });
    for (const value of others) expect(value).toEqual({ of: "a", version: 10 });
    expect(source.loads).toBe(2);
  });

  it("keeps as many bytes as it may, those that were looked up last", async () => {
    const { cache, source } = createTestCache({ maxBytes: 100 });
    for (const [key, bytes] of [
      ["a", 50],
      ["b", 30],
      ["c", 20],
      ["d", 1],
    ] as const) {
      source.bytes = bytes;
      await cache.get(key);
    }
    expect(["b", "c", "d"].map((key) => cache.get(key))).not.toContainEqual(expect.any(Promise));
    source.bytes = 50;
    await cache.get("a"); // evicts "b", but neither "c" nor "d": they all have 71 bytes
    expect(["a", "c", "d"].map((key) => cache.get(key))).not.toContainEqual(expect.any(Promise));
    expect(cache.get("b")).toBeInstanceOf(Promise);
  });

  it("keeps one value alone that has more bytes than it may", async () => {
    const { cache, source } = createTestCache({ maxBytes: 100 });
    await cache.get("a");
    source.bytes = 101;
    await cache.get("b");
    expect(cache.get("b")).toEqual({ of: "b", version: 1 });
    expect(cache.get("a")).toBeInstanceOf(Promise);
  });

  it("keeps values while many absent keys are asked for", async () => {
    const { cache, source } = createTestCache({ maxEntries: 3 });
    await cache.get("a");
    source.absent = true;
    for (let i = 0; i < 10; i++) await cache.get(`nonsense ${i}`);
    expect(cache.get("a")).toEqual({ of: "a", version: 1 });
    source.loads = 0;
    expect(cache.get("nonsense 9")).toBeUndefined();
    await cache.get("nonsense 0");
    expect(source.loads).toBe(1);
  });
});
