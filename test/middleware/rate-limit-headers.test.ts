import type { Application, Request, RequestHandler } from "express";
import { rateLimit as createExpressRateLimit, type Store } from "express-rate-limit";
import { RateLimiterMemory } from "rate-limiter-flexible";
import request from "supertest";
import { errorFormatter } from "etiquette/error-formatter";
import {
  expressRateLimit,
  rateLimiterFlexible,
  rateLimitHeaders,
  type RateLimit,
  type RateLimitHeadersOptions,
} from "etiquette/rate-limit-headers";
import { parseListField } from "etiquette/structured-fields";
import { EXPRESS_VERSIONS } from "../support/express.js";

const NOW = Date.parse("2026-03-01T10:00:00.250Z");
const now = (): number => NOW;

/** The lines of an answer's head whose names are about rate limits, in lower case. */
function limitLines(res: request.Response): string[] {
  const { rawHeaders } = (res as unknown as { res: { rawHeaders: string[] } }).res;
  const lines: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (/rate|retry|^date$/i.test(name)) lines.push(`${name}: ${name === "Date" ? "…" : rawHeaders[index + 1]!}`);
  }
  return lines.sort();
}

/** The names of {@link limitLines}. */
function limitNames(res: request.Response): string[] {
  return limitLines(res).map((line) => line.slice(0, line.indexOf(":")));
}

const NAMES = ["Date", "X-Rate-Limit-Limit", "X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"];
const NAMES_429 = ["Date", "Retry-After", ...NAMES.slice(1)];

describe.each(EXPRESS_VERSIONS)("rateLimitHeaders() on %s", (_version, express) => {
  function serve(options: RateLimitHeadersOptions, ...before: RequestHandler[]): Application & { logged: unknown[] } {
    const app = express();
    const logged: unknown[] = [];
    for (const middleware of before) app.use(middleware);
    app.use(rateLimitHeaders(options));
    app.get("/", (_req, res) => {
      res.json({ ok: true });
    });
    app.get("/fail", (_req, _res, next) => {
      next(new Error("broken"));
    });
    app.use(errorFormatter({ log: (error) => logged.push(error) }));
    return Object.assign(app, { logged });
  }

  const state: RateLimit = { limit: 600, remaining: 599, reset: new Date("2026-03-01T10:01:00.000Z"), allowed: true };

  describe("the standard fields", () => {
    const day: RateLimit = {
      ...{ limit: 10_000, remaining: 12, reset: 3_600_000, allowed: true },
      ...{ policy: "day", window: 86_400_000, unit: "requests", partition: "org 7" },
    };
    const get = (consumed: ReturnType<RateLimitHeadersOptions["consume"]>) =>
      request(serve({ consume: () => consumed, now, standardFields: true })).get("/");

    it("are only sent if they are asked for", async () => {
      const res = await request(serve({ consume: () => [day], now })).get("/");
      expect(limitNames(res)).toEqual(NAMES);
    });

    it("have every limit, and the others the one with the least left", async () => {
      const res = await get([{ ...state, window: 500 }, day]);
      expect(limitLines(res)).toEqual([
        "Date: …",
        'RateLimit-Policy: "default";q=600;w=1, "day";q=10000;qu="requests";w=86400;pk=:b3JnIDc=:',
        'RateLimit: "default";r=599;t=60, "day";r=12;t=3600;pk=:b3JnIDc=:',
        "X-Rate-Limit-Limit: 10000",
        "X-Rate-Limit-Remaining: 12",
        `X-Rate-Limit-Reset: ${Math.ceil((NOW + 3_600_000) / 1_000)}`,
      ]);
      expect(
        parseListField(String(res.headers["ratelimit"]))?.map((member) => "value" in member && member.value),
      ).toEqual(["default", "day"]);
    });

    it("of a refusal have every limit, and the others the one that ends last of those that refuse", async () => {
      const res = await get([
        { ...day, remaining: 0 },
        { ...state, remaining: 0, allowed: false, policy: "minute" },
        { ...state, remaining: 0, allowed: false, policy: "hour", reset: 1_800_000 },
      ]);
      expect(res.status).toBe(429);
      expect(res.headers).toMatchObject({ "x-rate-limit-limit": "600", "retry-after": "1800" });
      expect(res.headers["ratelimit"]).toBe('"day";r=0;t=3600;pk=:b3JnIDc=:, "minute";r=0;t=60, "hour";r=0;t=1800');
    });

    it("have no negative numbers, and none that a field can't contain", async () => {
      const res = await get({ limit: 1e20, remaining: -3, reset: -5_000, allowed: true, window: 0.5 });
      expect(res.headers).toMatchObject({
        "ratelimit-policy": '"default";q=999999999999999;w=1',
        ratelimit: '"default";r=0;t=0',
      });
    });

    it.each([15, 16, 17])("of %d limits are sent for 16 at most; more are an error", async (count) => {
      const res = await get(Array<RateLimit>(count).fill(day));
      expect(res.status).toBe(count > 16 ? 500 : 200);
      expect((res.headers["ratelimit"] ?? "").split(",")).toHaveLength(count > 16 ? 1 : count);
    });

    it("are left out when nothing is limited", async () => {
      expect(limitNames(await get([])).filter((name) => name !== "Date")).toEqual([]);
    });

    it.each<[string, object]>([
      ["a name that no field contains", { policy: "täglich" }],
      ["a line end in a unit", { unit: "a\r\nSet-Cookie: b" }],
      ["a window that is no number", { window: NaN }],
      ["a partition that is no text", { partition: 7 }],
    ])("are an error with %s", async (_what, values) => {
      const app = serve({ consume: () => [{ ...day, ...values }], now, standardFields: true });
      expect((await request(app).get("/")).status).toBe(500);
      expect(app.logged).toMatchObject([{ message: expect.stringContaining("`consume` must return") as string }]);
    });

    it("have the windows that limiters know", async () => {
      const flexible = new RateLimiterMemory({ points: 5, duration: 10, keyPrefix: "täglich" });
      const app = serve({ consume: rateLimiterFlexible(flexible, () => "me"), standardFields: true });
      expect((await request(app).get("/")).headers).toMatchObject({
        "ratelimit-policy": '"default";q=5;w=10',
        ratelimit: '"default";r=4;t=10',
      });
      const consume = expressRateLimit(createExpressRateLimit, { windowMs: 60_000, limit: 9 });
      expect((await request(serve({ consume, standardFields: true })).get("/")).headers).toMatchObject({
        "ratelimit-policy": '"default";q=9;w=60',
        ratelimit: '"default";r=8;t=60',
      });
    });
  });

  describe("the headers", () => {
    it("are one each, in seconds of UTC, beside Date", async () => {
      const res = await request(serve({ consume: () => state, now })).get("/");
      expect(res.status).toBe(200);
      expect(limitLines(res)).toEqual([
        "Date: …",
        "X-Rate-Limit-Limit: 600",
        "X-Rate-Limit-Remaining: 599",
        "X-Rate-Limit-Reset: 1772359260",
      ]);
    });

    it.each<[string, Partial<RateLimit>, string]>([
      ["an instant that is no whole second", { reset: new Date("2026-03-01T10:00:59.001Z") }, "1772359260"],
      ["milliseconds until then", { reset: 59_750 }, "1772359260"],
      ["milliseconds that end within a second", { reset: 59_751 }, "1772359261"],
      ["none left to wait", { reset: 0 }, "1772359201"],
    ])("tell Reset from %s, rounded up", async (_what, part, reset) => {
      const res = await request(serve({ consume: () => ({ ...state, ...part }), now })).get("/");
      expect(res.headers["x-rate-limit-reset"]).toBe(reset);
    });

    it.each<[Partial<RateLimit>, string, string]>([
      [{ remaining: -3 }, "600", "0"],
      [{ limit: 10.5, remaining: 2.9 }, "10", "2"],
      [{ limit: 0, remaining: 0 }, "0", "0"],
    ])("are whole numbers with %j", async (part, limit, remaining) => {
      const { headers } = await request(serve({ consume: () => ({ ...state, ...part }), now })).get("/");
      expect(headers).toMatchObject({ "x-rate-limit-limit": limit, "x-rate-limit-remaining": remaining });
    });

    it("are on errors of what comes after", async () => {
      const app = serve({ consume: () => Promise.resolve(state), now });
      for (const [path, status] of [
        ["/fail", 500],
        ["/missing", 404],
      ] as const) {
        const res = await request(app).get(path);
        expect(res.status).toBe(status);
        expect(limitNames(res)).toEqual(NAMES);
      }
    });

    it("take the place of the limiter's own", async () => {
      const fields = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"];
      fields.push("RateLimit", "RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");
      const setTheirs: RequestHandler = (_req, res, next) => {
        for (const name of [...fields, ...NAMES.slice(1)]) res.setHeader(name, "theirs");
        next();
      };
      const res = await request(serve({ consume: () => state, now }, setTheirs)).get("/");
      expect(limitNames(res)).toEqual(NAMES);
      expect(limitLines(res).join()).not.toContain("theirs");
    });

    it("come with Date where it was switched off", async () => {
      const withoutDate: RequestHandler = (_req, res, next) => {
        res.sendDate = false;
        next();
      };
      const res = await request(serve({ consume: () => state, now }, withoutDate)).get("/");
      expect(new Date(res.headers["date"] ?? "").getTime()).not.toBeNaN();
    });

    it.each([undefined, null])("are left out for a request that is not limited: %p", async (result) => {
      const res = await request(serve({ consume: () => result })).get("/");
      expect(res.status).toBe(200);
      expect(limitNames(res)).toEqual(["Date"]);
    });
  });

  describe("over the limit", () => {
    it("answers 429 E0000047 with Retry-After", async () => {
      const res = await request(serve({ consume: () => ({ ...state, remaining: 0, allowed: false }), now })).get("/");
      expect(res.status).toBe(429);
      expect(res.body).toMatchObject({
        errorCode: "E0000047",
        errorSummary: "API call exceeded rate limit due to too many requests.",
        errorCauses: [{ errorSummary: "The limit of 600 is used up; try again in 60 s." }],
      });
      expect(limitLines(res)).toEqual([
        "Date: …",
        "Retry-After: 60",
        "X-Rate-Limit-Limit: 600",
        "X-Rate-Limit-Remaining: 0",
        "X-Rate-Limit-Reset: 1772359260",
      ]);
    });

    it.each<[Date | number, string]>([
      [1_001, "2"],
      [1_000, "1"],
      [1, "1"],
      [0, "1"],
      [-5_000, "1"],
      [new Date(NOW - 1), "1"],
    ])("has a Retry-After of at least a second with %p", async (reset, seconds) => {
      const res = await request(serve({ consume: () => ({ ...state, reset, allowed: false }), now })).get("/");
      expect(res.headers["retry-after"]).toBe(seconds);
    });

    it("counts each of many requests at once", async () => {
      let remaining = 10;
      const app = serve({
        consume: async () => {
          const left = --remaining;
          await new Promise((resolve) => setTimeout(resolve, 5));
          return { limit: 10, remaining: left, reset: 1_000, allowed: left >= 0 };
        },
      });
      const server = app.listen(0, "127.0.0.1");
      const answers = await Promise.all(Array.from({ length: 15 }, () => request(server).get("/")));
      server.close();
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
      expect(new Set(answers.map(({ headers }) => headers["x-rate-limit-remaining"] as unknown)).size).toBe(10);
    });
  });

  describe("failOpen", () => {
    const failures: [string, RateLimitHeadersOptions["consume"]][] = [
      [
        "throws",
        () => {
          throw new Error("store down");
        },
      ],
      ["rejects", () => Promise.reject(new Error("store down"))],
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a limiter may do so
      ["rejects with nothing", () => Promise.reject(undefined)],
    ];

    it.each(failures)("answers 503 by default when the limiter %s", async (_what, consume) => {
      const app = serve({ consume });
      const res = await request(app).get("/");
      expect(res.status).toBe(503);
      expect(res.body).toMatchObject({ errorCode: "E0009011", errorCauses: [] });
      expect(res.text).not.toContain("store down");
      expect(limitNames(res)).toEqual(["Date"]);
    });

    it("E4 keeps what broke for the log", async () => {
      const error = new Error("store down");
      const app = serve({ consume: () => Promise.reject(error) });
      await request(app).get("/");
      expect(app.logged).toEqual([expect.objectContaining({ type: "rate-limit.unavailable", cause: error })]);
    });

    it("lets the request pass when it says true, and is told why", async () => {
      const told: unknown[] = [];
      const app = serve({
        consume: () => Promise.reject(new Error("store down")),
        failOpen: (error, req) => told.push((error as Error).message, req.path) > 0,
      });
      const res = await request(app).get("/");
      expect(res.status).toBe(200);
      expect(limitNames(res)).toEqual(["Date"]);
      expect(told).toEqual(["store down", "/"]);
    });

    it.each([false, undefined, 1, "true", Promise.resolve(true)])("does not when it says %p", async (answer) => {
      const app = serve({ consume: () => Promise.reject(new Error("down")), failOpen: () => answer as boolean });
      expect((await request(app).get("/")).status).toBe(503);
    });

    it("answers 503 when it fails itself", async () => {
      const failOpen = (): boolean => {
        throw new Error("log is full");
      };
      const app = serve({ consume: () => Promise.reject(new Error("down")), failOpen });
      expect((await request(app).get("/")).status).toBe(503);
      expect(app.logged).toEqual([expect.objectContaining({ cause: new Error("log is full") })]);
    });
  });

  it.each([
    [{}],
    ["allowed"],
    [{ ...state, allowed: undefined }],
    [{ ...state, allowed: "yes" }],
    [{ ...state, limit: "600" }],
    [{ ...state, remaining: NaN }],
    [{ ...state, reset: new Date(NaN) }],
    [{ ...state, reset: undefined }],
    [{ ...state, reset: Infinity }],
  ])("answers 500 when `consume` returns %j", async (result) => {
    const app = serve({ consume: () => result as never, failOpen: () => true });
    expect((await request(app).get("/")).status).toBe(500);
    expect(app.logged).toEqual([
      new TypeError(
        "rateLimitHeaders: `consume` must return { limit, remaining, reset, allowed }, an array of at most 16 of these, or nothing",
      ),
    ]);
  });

  it("leaves an answer alone that was sent while the limiter was asked", async () => {
    let reached = 0;
    const app = express();
    app.use(
      rateLimitHeaders({
        consume: async (_req, res) => {
          res.status(504).end("too late");
          await Promise.resolve();
          return state;
        },
      }),
      () => {
        reached += 1;
      },
    );
    const res = await request(app).get("/");
    expect([res.status, res.text, reached]).toEqual([504, "too late", 0]);
  });

  describe("with express-rate-limit", () => {
    const keyGenerator = (req: Request): string => req.get("X-Client") ?? "";

    it("sends its own headers beside nothing of the limiter's, and the error object for its text", async () => {
      const app = serve({
        consume: expressRateLimit(createExpressRateLimit, { windowMs: 60_000, limit: 2, keyGenerator }),
      });
      const answers = [];
      for (let count = 0; count < 3; count++) answers.push(await request(app).get("/").set("X-Client", "a"));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(answers.map(({ headers }) => headers["x-rate-limit-remaining"] as unknown)).toEqual(["1", "0", "0"]);
      expect(answers.map(limitNames)).toEqual([NAMES, NAMES, NAMES_429]);
      expect(answers[2]?.body).toMatchObject({ errorCode: "E0000047" });

      const { headers } = answers[2]!;
      const secondsLeft = Number(headers["x-rate-limit-reset"]) - Date.parse(headers["date"] ?? "") / 1000;
      expect(secondsLeft).toBeGreaterThan(55);
      expect(secondsLeft).toBeLessThan(66);
      expect(Math.abs(secondsLeft - Number(headers["retry-after"]))).toBeLessThanOrEqual(5);

      expect((await request(app).get("/").set("X-Client", "b")).status).toBe(200);
    });

    it("parts from the limiter alone, whose headers have other names and whose 429 is text", async () => {
      const app = express();
      app.use(createExpressRateLimit({ limit: 1, standardHeaders: "draft-7", keyGenerator: () => "a" }));
      await request(app).get("/");
      const res = await request(app).get("/");
      expect(res.status).toBe(429);
      expect(res.headers["content-type"]).toMatch(/^text\/html/);
      expect(limitNames(res)).not.toContain("X-Rate-Limit-Limit");
      expect(limitNames(res)).toEqual(expect.arrayContaining(["RateLimit", "X-RateLimit-Limit", "Retry-After"]));
    });

    it("leaves out what the limiter skips, also after another limiter", async () => {
      const outer = createExpressRateLimit({ limit: 5, keyGenerator: () => "a" });
      const consume = expressRateLimit(createExpressRateLimit, { skip: () => true, keyGenerator });
      const res = await request(serve({ consume }, outer)).get("/");
      expect(res.status).toBe(200);
      expect(limitNames(res)).not.toContain("X-Rate-Limit-Limit");
    });

    it("reads the result under another name, with a limit by request", async () => {
      const consume = expressRateLimit(createExpressRateLimit, {
        requestPropertyName: "quota",
        limit: (req) => (req.get("X-Client") === "big" ? 9 : 3),
        keyGenerator,
      });
      const app = serve({ consume });
      expect((await request(app).get("/").set("X-Client", "big")).headers["x-rate-limit-limit"]).toBe("9");
      expect((await request(app).get("/").set("X-Client", "small")).headers["x-rate-limit-limit"]).toBe("3");
    });

    const storeOf = (increment: Store["increment"]): Store => ({
      increment,
      decrement: () => undefined,
      resetKey: () => undefined,
    });

    it.each([
      [undefined, 60_000],
      [120_000, 120_000],
    ])("takes the window for the reset when the store tells none: windowMs %p", async (windowMs, expected) => {
      const store = storeOf(() => ({ totalHits: 1, resetTime: undefined }));
      const options = { store, keyGenerator, ...(windowMs !== undefined && { windowMs }) };
      const res = await request(serve({ consume: expressRateLimit(createExpressRateLimit, options), now })).get("/");
      expect(res.headers["x-rate-limit-reset"]).toBe(String(Math.ceil((NOW + expected) / 1000)));
    });

    it.each(["handler", "identifier", "legacyHeaders", "message", "standardHeaders", "statusCode"])(
      "refuses the option %s, which shapes the response",
      (name) => {
        expect(() => expressRateLimit(createExpressRateLimit, { [name]: 1 })).toThrow(
          new TypeError(`expressRateLimit: option \`${name}\` shapes the response, which rateLimitHeaders does`),
        );
      },
    );

    it("fails closed when its store fails, open when that is asked for", async () => {
      const options = { store: storeOf(() => Promise.reject(new Error("redis down"))), keyGenerator };
      const consume = expressRateLimit(createExpressRateLimit, options);
      expect((await request(serve({ consume })).get("/")).status).toBe(503);
      expect((await request(serve({ consume, failOpen: () => true })).get("/")).status).toBe(200);
    });

    it("fails when the limiter calls next with something that is no error", async () => {
      const consume = expressRateLimit(
        (_options: object) =>
          ((_req, _res, next) => {
            next("route");
          }) as RequestHandler,
      );
      const app = serve({ consume });
      expect((await request(app).get("/")).status).toBe(503);
      expect(app.logged).toEqual([
        expect.objectContaining({ cause: new Error("expressRateLimit: the limiter failed") }),
      ]);
    });
  });

  describe("with rate-limiter-flexible", () => {
    const keyOf = (req: Request): string => req.get("X-Client") ?? "";

    it("sends what the limiter knows", async () => {
      const limiter = new RateLimiterMemory({ points: 2, duration: 30 });
      const app = serve({ consume: rateLimiterFlexible(limiter, keyOf), now });
      const answers = [];
      for (let count = 0; count < 3; count++) answers.push(await request(app).get("/").set("X-Client", "a"));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(answers.map(({ headers }) => headers["x-rate-limit-limit"] as unknown)).toEqual(["2", "2", "2"]);
      expect(answers.map(({ headers }) => headers["x-rate-limit-remaining"] as unknown)).toEqual(["1", "0", "0"]);
      expect(answers.map(limitNames)).toEqual([NAMES, NAMES, NAMES_429]);
      for (const { headers } of answers) {
        const secondsLeft = Number(headers["x-rate-limit-reset"]) - NOW / 1000;
        expect(secondsLeft).toBeGreaterThan(20);
        expect(secondsLeft).toBeLessThan(31.1);
      }
      expect((await request(app).get("/").set("X-Client", "b")).status).toBe(200);
    });

    it("tells a year of a key that is blocked for good", async () => {
      const limiter = new RateLimiterMemory({ points: 2, duration: 0 });
      const app = serve({ consume: rateLimiterFlexible(limiter, keyOf), now });
      await limiter.block("a", 0);
      const res = await request(app).get("/").set("X-Client", "a");
      expect(res.status).toBe(429);
      expect(res.headers["retry-after"]).toBe(String(365 * 24 * 60 * 60));
    });

    it("E4 tells a failure of its store from a refusal", async () => {
      const limiter = {
        points: 2,
        consume: () => Promise.reject(Object.assign(new Error("down"), { msBeforeNext: 1 })),
      };
      expect((await request(serve({ consume: rateLimiterFlexible(limiter, keyOf) })).get("/")).status).toBe(503);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what drivers of stores may do
      const odd = { points: 2, consume: () => Promise.reject(null) };
      expect((await request(serve({ consume: rateLimiterFlexible(odd, keyOf) })).get("/")).status).toBe(503);
    });
  });
});

describe("rateLimitHeaders() options", () => {
  const consume = (): undefined => undefined;

  it.each<[object, string]>([
    [{}, "option `consume` must be a function"],
    [{ consume: {} }, "option `consume` must be a function"],
    [{ consume, failOpen: true }, "option `failOpen` must be a function"],
    [{ consume, now: 1 }, "option `now` must be a function"],
    [{ consume, namespace: "svc" }, "option `namespace` is unknown"],
  ])("refuses %j", (options, message) => {
    expect(() => rateLimitHeaders(options as never)).toThrow(TypeError);
    expect(() => rateLimitHeaders(options as never)).toThrow(`rateLimitHeaders: ${message}`);
  });
});
