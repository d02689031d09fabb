import { setImmediate } from "node:timers/promises";
import { BusyError } from "../../src/pace/turns.js";
import { createOutage } from "../../src/tenancy/outage.js";

const GONE = Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
const OLD = { value: "old", onUse: jest.fn() };
const never = () => new Promise<never>(() => undefined);
const refuse = (error: Error) => () => Promise.reject(error);

function createTestOutage() {
  const database = { ping: (): Promise<unknown> => Promise.resolve() };
  const lines: string[] = [];
  const log = { warn: (_facts: object, text: string) => lines.push(text) };
  const outage = createOutage({ limit: 10_000, ping: () => database.ping(), log: log as never });
  return { outage, database, lines };
}

const BEGIN = "the database does not answer: discovery goes on with what is known";
const END = "the database answers again";

/** Lets promises settle, which the timers wait for. */
const settle = async () => {
  for (let turns = 0; turns < 20; turns++) await setImmediate();
};

describe("createOutage()", () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate"] });
  });
  afterEach(() => {
    OLD.onUse.mockClear();
    jest.useRealTimers();
  });

  it("gives the result of a look-up, an absence too, while the database answers", async () => {
    const { outage, lines } = createTestOutage();
    expect(await outage.bridge(() => Promise.resolve("new"), OLD)).toBe("new");
    expect(await outage.bridge(() => Promise.resolve(undefined), OLD)).toBeUndefined();
    expect([outage.isOn(), lines]).toEqual([false, []]);
  });

  it("begins when the database fails, and then asks nothing and waits for nothing", async () => {
    const { outage, database, lines } = createTestOutage();
    database.ping = refuse(GONE);
    expect(await outage.bridge(refuse(GONE), OLD)).toBe("old");
    expect([outage.isOn(), lines]).toEqual([true, [BEGIN]]);
    const lookUp = jest.fn(never);
    expect(outage.bridge(lookUp, OLD)).toBe("old");
    expect(lookUp).not.toHaveBeenCalled();
  });

  it("does not begin when a look-up fails twice and the database answers: that concerns one org", async () => {
    const { outage, lines } = createTestOutage();
    expect(await outage.bridge(refuse(GONE), OLD)).toBe("old");
    expect([outage.isOn(), lines]).toEqual([
      false,
      ["a look-up failed though the database answers: what is known is used this time"],
    ]);
    expect(await outage.bridge(() => Promise.resolve("new"), OLD)).toBe("new");
  });

  it("begins when the database says nothing", async () => {
    const { outage, database } = createTestOutage();
    database.ping = never;
    const answer = outage.bridge(never, OLD);
    jest.advanceTimersByTime(499);
    await settle();
    expect(outage.isOn()).toBe(false);
    jest.advanceTimersByTime(1);
    await settle();
    jest.advanceTimersByTime(500);
    expect(await answer).toBe("old");
    expect(outage.isOn()).toBe(true);
  });

  it("waits for a look-up that takes long while the database answers", async () => {
    const { outage } = createTestOutage();
    let finish = (_value: string): void => undefined;
    const answer = outage.bridge(() => new Promise<string>((resolve) => (finish = resolve)), OLD);
    jest.advanceTimersByTime(500);
    await settle();
    jest.advanceTimersByTime(60_000);
    await settle();
    finish("new");
    expect(await answer).toBe("new");
    expect(outage.isOn()).toBe(false);
  });

  it("repeats a look-up whose connection was lost while the database answers", async () => {
    const { outage, lines } = createTestOutage();
    let lose = (_reason: Error): void => undefined;
    const lookUp = jest.fn(() => Promise.resolve("new"));
    lookUp.mockImplementationOnce(() => new Promise((_resolve, reject) => (lose = reject)));
    const answer = outage.bridge(lookUp, OLD);
    jest.advanceTimersByTime(500);
    await settle();
    lose(new Error("Connection terminated unexpectedly"));
    expect(await answer).toBe("new");
    expect([outage.isOn(), OLD.onUse.mock.calls, lines]).toEqual([false, [], []]);
  });

  it("tells whenever what is known is the result", async () => {
    const { outage, database } = createTestOutage();
    await outage.bridge(refuse(GONE), OLD);
    expect(OLD.onUse).toHaveBeenCalledTimes(1);
    database.ping = refuse(GONE);
    await outage.bridge(refuse(GONE), OLD);
    void outage.bridge(never, OLD);
    expect(OLD.onUse).toHaveBeenCalledTimes(3);
  });

  it("throws what is no outage: faults, and too much work of the process itself", async () => {
    const { outage } = createTestOutage();
    for (const error of [new Error("a fault"), new BusyError(1)]) {
      await expect(outage.bridge(refuse(error), OLD)).rejects.toBe(error);
    }
    expect(outage.isOn()).toBe(false);
  });

  it("ends when the database answers, about which it asks once a second", async () => {
    const { outage, database, lines } = createTestOutage();
    const ping = jest.fn(refuse(GONE));
    database.ping = ping;
    await outage.bridge(refuse(GONE), OLD);
    ping.mockClear();
    for (let calls = 0; calls < 1_000; calls++) void outage.bridge(never, OLD);
    expect(ping).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1_000);
    for (let calls = 0; calls < 1_000; calls++) void outage.bridge(never, OLD);
    await settle();
    expect([ping.mock.calls.length, outage.isOn()]).toEqual([1, true]);
    database.ping = () => Promise.resolve();
    jest.advanceTimersByTime(1_000);
    expect(outage.bridge(never, OLD)).toBe("old");
    await settle();
    expect([outage.isOn(), lines]).toEqual([false, [BEGIN, END]]);
    expect(await outage.bridge(() => Promise.resolve("new"), OLD)).toBe("new");
  });

  it.each([
    [9_999, true],
    [10_000, false],
    [10_001, false],
  ])("covers what is %d ms old: %p", (age, isCovered) => {
    expect(createTestOutage().outage.covers(age)).toBe(isCovered);
  });
});
