import { parseServerTimeouts } from "../../../lib/server/server-timeouts.js";

describe("parseServerTimeouts", () => {
  it.each([
    [{}, [110_000, 20_000, 65_000, 5_000]],
    [{ requestTimeout: 10_000 }, [10_000, 10_000, 65_000, 2_500]],
    [{ headersTimeout: 110_000 }, [110_000, 110_000, 65_000, 5_000]],
    [{ headersTimeout: 1, keepAliveTimeout: 1 }, [110_000, 1, 1, 1]],
  ])("reads %j", (options, [requestTimeout, headersTimeout, keepAliveTimeout, connectionsCheckingInterval]) => {
    expect(parseServerTimeouts("f", options)).toEqual({
      requestTimeout,
      headersTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval,
    });
  });

  it.each(["requestTimeout", "headersTimeout", "keepAliveTimeout"])("refuses a %s that would mean never", (name) => {
    for (const never of [0, -1, Infinity, 3_600_001, "1000", null]) {
      expect(() => parseServerTimeouts("f", { [name]: never })).toThrow(
        `f: option \`${name}\` must be an integer from 1`,
      );
    }
  });
});
