import { isUnavailable } from "../../src/store/contract/errors.js";
import { createTurns, type Turns, type TurnsOptions } from "../../src/pace/turns.js";

/** Work that runs until it is told to end. */
function createWork(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (owner: string, name: string, signal?: AbortSignal): Promise<string> =>
    turns.run(
      owner,
      async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      },
      signal,
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settle();
  };
  return { begun, start, end };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

const turnsOf = (options: Partial<TurnsOptions> = {}) => createTurns({ size: 3, share: 2, maxWaiting: 2, ...options });

describe("createTurns", () => {
  it("S9 gives no owner more than its share: n - 1, n, n + 1", async () => {
    const { begun, start, end } = createWork(turnsOf());
    const work = ["a1", "a2", "a3"].map((name) => start("a", name));
    await settle();
    expect(begun).toEqual(["a1", "a2"]);
    const other = start("b", "b1");
    await settle();
    expect(begun).toEqual(["a1", "a2", "b1"]);
    for (const name of ["a1", "a2", "a3", "b1"]) await end(name);
    expect(await Promise.all([...work, other])).toEqual(["a1", "a2", "a3", "b1"]);
  });

  it("S9 lets owners take turns, however much work one has", async () => {
    const { begun, start, end } = createWork(turnsOf({ size: 1, share: 1 }));
    const work = ["a1", "a2", "a3", "b1", "b2", "c1"].map((name) => start(name.charAt(0), name));
    await settle();
    for (const name of ["a1", "a2", "b1", "c1", "a3", "b2"]) await end(name);
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
    await Promise.all(work);
  });

  it("S9 refuses an owner for which too much waits, and no other: n - 1, n, n + 1", async () => {
    const { start, end, begun } = createWork(turnsOf({ size: 1, share: 1 }));
    const work = ["a1", "a2", "a3"].map((name) => start("a", name));
    const error: unknown = await start("a", "a4").catch((reason: unknown) => reason);
    expect(isUnavailable(error)).toBe(true);
    work.push(start("b", "b1"));
    await settle();
    for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
    await Promise.all(work);
    expect(begun).not.toContain("a4");
  });

  it("goes on when work fails", async () => {
    const turns = turnsOf({ size: 1 });
    await expect(turns.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(turns.run("a", () => Promise.resolve(1))).resolves.toBe(1);
  });

  it("forgets work whose signal is aborted while it waits", async () => {
    const { begun, start, end } = createWork(turnsOf({ size: 1, share: 1 }));
    const controller = new AbortController();
    const first = start("a", "a1");
    const left = start("a", "a2", controller.signal);
    const last = start("a", "a3");
    await settle();
    controller.abort();
    await expect(left).rejects.toThrow("aborted");
    await expect(start("a", "a4", controller.signal)).rejects.toThrow("aborted");
    await end("a1");
    await end("a3");
    await Promise.all([first, last]);
    expect(begun).toEqual(["a1", "a3"]);
  });

  it("begins the next work only when the rest is over", async () => {
    const rests: (() => void)[] = [];
    const { begun, start, end } = createWork(turnsOf({ size: 1, share: 1, rest: (next) => rests.push(next) }));
    const work = [start("a", "a1"), start("b", "b1")];
    await settle();
    await end("a1");
    expect(begun).toEqual(["a1"]);
    rests.shift()?.();
    await settle();
    expect(begun).toEqual(["a1", "b1"]);
    await end("b1");
    await Promise.all(work);
  });

  it("lets nobody wait longer than its patience, and goes on afterwards", async () => {
    const turns = turnsOf({ size: 1, share: 1, patience: 50 });
    const { begun, start, end } = createWork(turns);
    const first = start("a", "a1");
    await settle();
    const error: unknown = await start("b", "b1").catch((reason: unknown) => reason);
    expect(isUnavailable(error)).toBe(true);
    expect(turns.waiting()).toBe(0);
    const next = start("b", "b2");
    expect(turns.waiting()).toBe(1);
    await end("a1");
    await end("b2");
    expect(await Promise.all([first, next])).toEqual(["a1", "b2"]);
    expect(begun).toEqual(["a1", "b2"]);
  });
});
