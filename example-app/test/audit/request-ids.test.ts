import { createRequestId } from "../../src/audit/request-ids.js";

const UUID_V7_REGEXP = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("createRequestId()", () => {
  afterEach(() => jest.useRealTimers());

  it("D1 makes UUIDs of version 7, each another", () => {
    const ids = Array.from({ length: 10_000 }, createRequestId);
    for (const id of ids) expect(id).toMatch(UUID_V7_REGEXP);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("begins with the time in milliseconds", () => {
    jest.useFakeTimers({ now: Date.parse("2022-02-22T19:22:22.000Z") });
    expect(createRequestId()).toMatch(/^017f22e2-79b0-7/); // RFC 9562 appendix A.6
    jest.setSystemTime(1);
    expect(createRequestId()).toMatch(/^00000000-0001-7/);
  });
});
