import { createReadiness } from "../../src/monitoring/readiness.js";

describe("createReadiness()", () => {
  it("is starting until the start is done", async () => {
    const { findObstacle, begin } = createReadiness();
    expect(await findObstacle()).toBe("starting");
    begin(() => Promise.resolve());
    expect(await findObstacle()).toBeUndefined();
  });

  it("is draining from then on, without a question to the database", async () => {
    const ping = jest.fn(() => Promise.resolve());
    const { findObstacle, begin, drain } = createReadiness();
    begin(ping);
    drain();
    expect(await findObstacle()).toBe("draining");
    expect(ping).not.toHaveBeenCalled();
  });

  it("is draining also when the start was not done", async () => {
    const { findObstacle, drain } = createReadiness();
    drain();
    expect(await findObstacle()).toBe("draining");
  });

  it("is not ready when the database refuses", async () => {
    const { findObstacle, begin } = createReadiness();
    begin(() => Promise.reject(new Error("expected")));
    expect(await findObstacle()).toBe("the database does not answer");
  });

  it("is degraded while what is known counts without the database", async () => {
    for (const [isCovered, expected] of [
      [true, "degraded: the database does not answer"],
      [false, "the database does not answer"],
    ] as const) {
      const { findObstacle, begin } = createReadiness();
      begin(
        () => Promise.reject(new Error("expected")),
        (age) => isCovered && age >= 0 && age < 60_000,
      );
      expect(await findObstacle()).toBe(expected);
    }
  });

  describe("with a clock of its own", () => {
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask"] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it("asks the database once in a second, however many ask", async () => {
      const ping = jest.fn(() => Promise.resolve());
      const { findObstacle, begin } = createReadiness();
      begin(ping);
      await Promise.all(Array.from({ length: 1_000 }, findObstacle));
      jest.advanceTimersByTime(999);
      await findObstacle();
      expect(ping).toHaveBeenCalledTimes(1);
      jest.advanceTimersByTime(1);
      await Promise.all(Array.from({ length: 1_000 }, findObstacle));
      expect(ping).toHaveBeenCalledTimes(2);
    });

    it("waits less than a second for a database that hangs, and asks it nothing more meanwhile", async () => {
      let answer: (() => void) | undefined;
      const ping = jest.fn(
        () =>
          new Promise<void>((resolve) => {
            answer = resolve;
          }),
      );
      const { findObstacle, begin } = createReadiness();
      begin(ping);
      const obstacle = findObstacle();
      jest.advanceTimersByTime(900);
      expect(await obstacle).toBe("the database does not answer");
      jest.advanceTimersByTime(60_000);
      expect(await findObstacle()).toBe("the database does not answer");
      expect(ping).toHaveBeenCalledTimes(1);

      answer?.();
      await jest.advanceTimersByTimeAsync(1_000);
      const next = findObstacle();
      answer?.();
      expect(await next).toBeUndefined();
      expect(ping).toHaveBeenCalledTimes(2);
    });
  });
});
