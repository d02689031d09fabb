import { setTimeout as sleep } from "node:timers/promises";
import { measureLag } from "../../src/admission/event-loop-lag.js";
import { createOverload } from "../../src/admission/overload.js";
import { until } from "../../../test/support/until.js";

describe("measureLag()", () => {
  it("tells that the event loop stood still", async () => {
    const lags: number[] = [];
    const stop = measureLag((lag) => lags.push(lag));
    await until(() => lags.length > 0);
    const end = performance.now() + 400;
    while (performance.now() < end);
    await until(() => Math.max(...lags) > 200);
    stop();
    const { length } = lags;
    await sleep(250);
    expect(lags).toHaveLength(length);
  });
});

describe("createOverload()", () => {
  const PATHS = ["/api/v1/users", "/sso/login", "/.well-known/webfinger"];

  it.each([
    [99, true, []],
    [100, true, PATHS.slice(0, 1)],
    [10_000, true, PATHS.slice(0, 1)],
    [10_000, false, PATHS],
  ])("with %d waiting callers, and discovery without the database: %p, refuses %j", (count, isBridged, expected) => {
    const { middleware } = createOverload({
      limits: { lag: false, waiting: 100 },
      measureLag: () => () => undefined,
      waiting: () => count,
      isBridged: () => isBridged,
      log: { warn: () => undefined } as never,
    });
    const isRefused = (path: string): boolean => {
      const next = jest.fn();
      middleware({ path } as never, {} as never, next);
      return next.mock.calls[0]?.[0] !== undefined;
    };
    expect(PATHS.filter(isRefused)).toEqual(expected);
  });
});
