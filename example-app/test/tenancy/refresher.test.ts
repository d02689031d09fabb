import { until } from "../../../test/support/until.js";
import { createRefresher } from "../../src/tenancy/refresher.js";

describe("createRefresher()", () => {
  const read: string[] = [];
  const cache = (orgs: string[]) => ({
    orgs: () => orgs,
    refresh: (org: string) => Promise.resolve(void read.push(org)),
  });

  beforeEach(() => {
    read.length = 0;
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it("reads an org once for all changes of half a second, from each cache", async () => {
    const note = createRefresher([cache(["a"]), cache(["b"])]);
    for (let changes = 0; changes < 1_000; changes++) note("a");
    await jest.advanceTimersByTimeAsync(499);
    expect(read).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(read).toEqual(["a", "a"]);
    note("a");
    await jest.advanceTimersByTimeAsync(500);
    expect(read).toEqual(["a", "a", "a", "a"]);
  });

  it("reads all orgs that are known when any may have changed", async () => {
    createRefresher([cache(["a", "b"]), cache(["b", "c"])])(undefined);
    await jest.advanceTimersByTimeAsync(500);
    expect(new Set(read)).toEqual(new Set(["a", "b", "c"]));
  });

  it("lets other work run between the orgs when all may have changed", async () => {
    jest.useRealTimers();
    let turns = 0;
    let hasEnded = false;
    const orgs = Array.from({ length: 1_000 }, (_, index) => `org ${index}`);
    createRefresher([cache(orgs)])(undefined);
    const count = () => {
      if (read.length > 0) turns++;
      hasEnded = read.length === orgs.length;
      if (!hasEnded) setImmediate(count);
    };
    count();
    await until(() => hasEnded);
    expect(turns).toBeGreaterThanOrEqual(orgs.length / 4); // so many are read at once
  });

  it("goes on with other orgs when one can't be read", async () => {
    const broken = {
      orgs: () => [],
      refresh: (org: string) =>
        org === "a" ? Promise.reject(new Error("gone")) : Promise.resolve(void read.push(org)),
    };
    const note = createRefresher([broken]);
    note("a");
    note("b");
    await jest.advanceTimersByTimeAsync(500);
    expect(read).toEqual(["b"]);
  });
});
