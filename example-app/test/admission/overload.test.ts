import { setTimeout as sleep } from "node:timers/promises";
import { measureLag } from "../../src/admission/event-loop-lag.js";
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
