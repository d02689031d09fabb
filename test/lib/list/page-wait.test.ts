import { followPages, FollowPagesError, type PageResponse } from "../../../lib/list/follow-pages.js";

const FIRST = "https://acme.example.com/users";
const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const DATE = new Date(NOW).toUTCString();

beforeEach(() => {
  jest.useFakeTimers({ now: NOW, doNotFake: ["nextTick", "queueMicrotask", "setImmediate"] });
});
afterEach(() => jest.useRealTimers());

type Head = Readonly<Record<string, string>>;

function respond(status: number, fields: Head, body: unknown = []): PageResponse {
  const headers = new Headers(fields);
  return { ok: status < 300, status, headers, json: () => Promise.resolve(body) };
}

const NEXT = { Link: `<${FIRST}?after=1>; rel="next"` };

/** Walks over these responses, and tells at which second each was asked for, and how the walk ended. */
async function walk(responses: PageResponse[], options: { maxWait?: number; signal?: AbortSignal } = {}) {
  const asked: number[] = [];
  const begin = Date.now();
  const fetch = () => {
    asked.push((Date.now() - begin) / 1_000);
    return Promise.resolve(responses[asked.length - 1] ?? respond(500, {}));
  };
  const ended = (async () => {
    for await (const page of followPages(fetch, FIRST, options)) expect(page.rows).toEqual([]);
    return "end";
  })().catch((error: unknown) =>
    error instanceof FollowPagesError ? `${error.reason} ${error.response?.status}` : error,
  );
  await jest.advanceTimersByTimeAsync(1_000_000);
  return { asked, ended: await ended };
}

describe("followPages() at a limit", () => {
  it.each<[string, Head, number]>([
    ["RateLimit", { RateLimit: '"day";r=0;t=30' }, 30],
    ["the longest of several limits", { RateLimit: '"a";r=0;t=3, "b";r=0;t=7, "c";r=4;t=50' }, 7],
    ["the reset by the server's clock", limits("0", { Date: DATE }, 9), 9],
    ["the reset by a clock that is an hour off", limits("0", { Date: later(3_600) }, 3_609), 9],
    ["RateLimit, not the reset", { RateLimit: '"day";r=0;t=5', ...limits("0", {}, 40) }, 5],
    ["nothing while something is left", { RateLimit: '"day";r=1;t=30', ...limits("1", {}, 40) }, 0],
    ["nothing after a reset that is over", limits("0", {}, -5), 0],
    ["nothing for a field that breaks the grammar", { RateLimit: '"day";r=0;t=30,,' }, 0],
    ["nothing for a limit without a time", { RateLimit: '"day";r=0' }, 0],
    ["nothing for a time of another type", { RateLimit: '"day";r=0;t=3.5, "b";r=0;t=-1, "c";r="0";t=9' }, 0],
    ["nothing for a reset that is no number", { "X-Rate-Limit-Remaining": "0", "X-Rate-Limit-Reset": "soon" }, 0],
  ])("S8 waits for %s", async (_what, fields, seconds) => {
    const { asked, ended } = await walk([respond(200, { ...NEXT, ...fields }), respond(200, {})]);
    expect({ asked, ended }).toEqual({ asked: [0, seconds], ended: "end" });
  });

  it("S8 does not wait after the last page", async () => {
    const reader = followPages(() => Promise.resolve(respond(200, { RateLimit: '"day";r=0;t=30' })), FIRST);
    await reader.next();
    await expect(reader.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it.each<[string, number, Head, number]>([
    ["429 with seconds", 429, { "Retry-After": "12" }, 12],
    ["503 with seconds", 503, { "Retry-After": "2" }, 2],
    ["429 with a date", 429, { "Retry-After": later(20), Date: DATE }, 20],
    ["429 with a date by another clock", 429, { "Retry-After": later(620), Date: later(600) }, 20],
    ["429 with a date that is over", 429, { "Retry-After": later(-20) }, 0],
    ["429 with limits alone", 429, { RateLimit: '"day";r=0;t=6' }, 6],
    ["429 with Retry-After and limits", 429, { "Retry-After": "3", RateLimit: '"day";r=0;t=6' }, 3],
  ])("S8 asks again after %s", async (_what, status, fields, seconds) => {
    expect(await walk([respond(status, fields), respond(200, {})])).toEqual({ asked: [0, seconds], ended: "end" });
  });

  it.each<[string, number, Head]>([
    ["429 without a time", 429, {}],
    ["429 with a malformed time", 429, { "Retry-After": "-1 s" }],
    ["500 with Retry-After", 500, { "Retry-After": "1" }],
  ])("S8 ends at %s", async (_what, status, fields) => {
    expect(await walk([respond(status, fields)])).toEqual({ asked: [0], ended: `status ${status}` });
  });

  it("S8 asks six times for a page", async () => {
    const pause = respond(429, { "Retry-After": "1" });
    expect(await walk(Array(7).fill(pause) as PageResponse[])).toEqual({
      asked: [0, 1, 2, 3, 4, 5],
      ended: "status 429",
    });
    const five = [...(Array(5).fill(pause) as PageResponse[]), respond(200, {})];
    expect(await walk(five)).toMatchObject({ ended: "end" });
  });

  it("S8 waits as long as `maxWait`, and no longer", async () => {
    const pages = (seconds: number) => [respond(429, { "Retry-After": String(seconds) }), respond(200, {})];
    expect(await walk(pages(60))).toEqual({ asked: [0, 60], ended: "end" });
    expect((await walk(pages(61))).ended).toBe("status 429");
    expect((await walk(pages(5), { maxWait: 4_999 })).ended).toBe("status 429");
    expect((await walk(pages(5), { maxWait: 5_000 })).ended).toBe("end");
    expect((await walk(pages(0), { maxWait: 0 })).ended).toBe("status 429");
    const paced = [respond(200, { ...NEXT, RateLimit: '"day";r=0;t=61' }), respond(200, {})];
    expect((await walk(paced)).asked).toEqual([0, 0]);
  });

  it("ends a pause when its signal does", async () => {
    const stop = new AbortController();
    setTimeout(() => {
      stop.abort(new Error("enough"));
    }, 2_000);
    const { asked, ended } = await walk([respond(429, { "Retry-After": "30" })], { signal: stop.signal });
    expect({ asked, ended }).toEqual({ asked: [0], ended: new Error("enough") });
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([-1, 2_147_483_648, NaN, "5"])("refuses a `maxWait` of %p", async (maxWait) => {
    const reader = followPages(() => Promise.resolve(respond(200, {})), FIRST, { maxWait: maxWait as number });
    await expect(reader.next()).rejects.toThrow(
      new TypeError("followPages: `maxWait` must be a number from 0 to 2147483647"),
    );
  });
});

function later(seconds: number): string {
  return new Date(NOW + seconds * 1_000).toUTCString();
}

function limits(remaining: string, fields: Head, seconds: number): Head {
  const reset = String(NOW / 1_000 + seconds);
  return { ...fields, "X-Rate-Limit-Remaining": remaining, "X-Rate-Limit-Reset": reset };
}
