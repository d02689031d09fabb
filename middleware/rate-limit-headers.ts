import type { Request, RequestHandler, Response } from "express";
import { apiError, type ApiError } from "../lib/errors/index.js";
import {
  areRateLimits,
  endOfWindow,
  formatPolicies,
  formatServiceLimits,
  type RateLimit,
  strictestLimit,
  toCount,
} from "../lib/http/index.js";

export type { RateLimit } from "../lib/http/index.js";
import {
  assertKnownOptions,
  booleanOption,
  functionOption,
  isPromise,
  type Middleware,
  optionError,
  type NothingElse,
} from "../lib/factory/index.js";

/** Fields with the same facts that limiters set, and `Retry-After`, which this middleware sets itself. */
const FIELDS_OF_LIMITERS: ReadonlySet<string> = new Set([
  "ratelimit",
  "ratelimit-limit",
  "ratelimit-policy",
  "ratelimit-remaining",
  "ratelimit-reset",
  "retry-after",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
]);

/** For the -1 milliseconds with which rate-limiter-flexible blocks a key forever; a header needs an instant. */
const NEVER = 365 * 24 * 60 * 60 * 1000;

const RESPONSE_OPTIONS = [
  "handler",
  "identifier",
  "legacyHeaders",
  "message",
  "standardHeaders",
  "statusCode",
] as const;

const WRONG_STATE =
  "rateLimitHeaders: `consume` must return { limit, remaining, reset, allowed }, an array of at most 16 of these, or nothing";

/** The default window of express-rate-limit, in milliseconds. */
const DEFAULT_WINDOW = 60_000;

type Consumed = RateLimit | readonly RateLimit[] | null | undefined;

/**
 * A function that counts a request and returns or promises the state of the limiter, of several limiters (at most 16), or
 * nothing when the request is not limited. It throws or rejects when it can't count.
 */
export type ConsumeRateLimit = (req: Request, res: Response) => Consumed | Promise<Consumed>;

export interface RateLimitHeadersOptions {
  /**
   * Counts the request and returns the state of the limiter. See {@link expressRateLimit}, {@link rateLimiterFlexible}.
   */
  consume: ConsumeRateLimit;

  /**
   * Called when `consume` failed, for example because its store is down. If it returns `true`, the request passes without
   * the headers; otherwise the response is 503. Log the error here.
   *
   * @default () => false
   */
  failOpen?: (error: unknown, req: Request) => boolean;

  /**
   * Whether to send `RateLimit` and `RateLimit-Policy` as well (draft-ietf-httpapi-ratelimit-headers-11), with every limit
   * that `consume` returned.
   *
   * @experimental
   * @default false
   */
  standardFields?: boolean;

  /**
   * The current time, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: () => number;
}

const OPTIONS: Record<keyof RateLimitHeadersOptions, true> = {
  consume: true,
  failOpen: true,
  standardFields: true,
  now: true,
};

/**
 * Put the rate limit on every response: `X-Rate-Limit-Limit`, `X-Rate-Limit-Remaining` and `X-Rate-Limit-Reset` (UTC, in
 * seconds), once each, and on request `RateLimit` and `RateLimit-Policy`. The limiter's own header fields are removed. A
 * request over the limit is 429 `E0000047` with `Retry-After`. Does not count requests: `consume` does.
 *
 * @throws {TypeError} when an option is unknown, missing or of the wrong type
 * @example
 * const limiter = new RateLimiterMemory({ points: 600, duration: 60 });
 * app.use(rateLimitHeaders({ consume: rateLimiterFlexible(limiter, (req) => req.ip) }));
 */
export function rateLimitHeaders(options: Readonly<RateLimitHeadersOptions>, ..._: NothingElse): Middleware {
  const { consume, failOpen, standardFields, now } = parseOptions(options);

  return function rateLimitHeadersMiddleware(req, res, next) {
    // without async functions, because each promise takes time
    const proceed = (state: Consumed): void => {
      if (!res.headersSent) next(announce(state, res)); // otherwise a time-out responded while the limiter was busy
    };
    const fail = (error: unknown): void => {
      if (!res.headersSent) next(judgeFailure(error, req));
    };
    let state: ReturnType<ConsumeRateLimit>;
    try {
      state = consume(req, res);
    } catch (error) {
      fail(error);
      return;
    }
    if (isPromise(state)) void Promise.resolve(state).then(proceed, fail);
    else proceed(state);
  };

  function judgeFailure(error: unknown, req: Request): Error | undefined {
    try {
      const mayPass: unknown = failOpen(error, req);
      return mayPass === true ? undefined : unavailable(error); // an async function returns a promise, which is truthy
    } catch (thrown) {
      return unavailable(thrown);
    }
  }

  /** Set the header fields. Returns the error when the request is refused. */
  function announce(consumed: Consumed, res: Response): Error | undefined {
    if (consumed === undefined || consumed === null) return undefined;
    const states = Array.isArray(consumed) ? (consumed as readonly RateLimit[]) : [consumed as RateLimit];
    if (states.length === 0) return undefined;
    const time = now();
    if (!areRateLimits(states, time)) return new TypeError(WRONG_STATE);

    for (const name of res.getHeaderNames()) if (FIELDS_OF_LIMITERS.has(name)) res.removeHeader(name);
    const shown = strictestLimit(states, time);
    const end = endOfWindow(shown, time);
    res.setHeader("X-Rate-Limit-Limit", toCount(shown.limit));
    res.setHeader("X-Rate-Limit-Remaining", toCount(shown.remaining));
    res.setHeader("X-Rate-Limit-Reset", Math.ceil(end / 1000));
    if (standardFields) {
      res.setHeader("RateLimit-Policy", formatPolicies(states));
      res.setHeader("RateLimit", formatServiceLimits(states, time));
    }
    res.sendDate = true; // clients compare Reset with Date, because their clocks differ
    return shown.allowed ? undefined : exceeded(shown.limit, Math.max(1, Math.ceil((end - time) / 1000)));
  }
}

/**
 * Create `consume` from express-rate-limit. Takes the options of that package, except those that set its response.
 *
 * @param rateLimit the function that the package exports under this name
 * @throws {TypeError} when an option would set the response
 * @example
 * const consume = expressRateLimit(rateLimit, { windowMs: 60_000, limit: 600 });
 * app.use(rateLimitHeaders({ consume }));
 */
export function expressRateLimit<RateLimiter extends (options: never) => unknown>(
  rateLimit: RateLimiter,
  options: Omit<NonNullable<Parameters<RateLimiter>[0]>, ResponseOption> = {} as never,
): ConsumeRateLimit {
  for (const name of RESPONSE_OPTIONS) {
    if ((options as Readonly<Record<string, unknown>>)[name] !== undefined) {
      throw new TypeError(`expressRateLimit: option \`${name}\` shapes the response, which rateLimitHeaders does`);
    }
  }
  const { requestPropertyName = "rateLimit", windowMs = DEFAULT_WINDOW } = options as ExpressRateLimitOptions;
  const create = rateLimit as unknown as (options: object) => RequestHandler;
  const limiter = create({ ...options, legacyHeaders: false, standardHeaders: false, handler: passOn });

  return async function consumeExpressRateLimit(req, res) {
    Reflect.deleteProperty(req, requestPropertyName); // set by another limiter, and wrong if this one skips the request
    await new Promise<void>((resolve, reject) => {
      void limiter(req, res, (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(toError(error));
      });
    });
    const info = Reflect.get(req, requestPropertyName) as ExpressRateLimitInfo | undefined;
    if (info === undefined) return undefined;
    const { limit, used, remaining, resetTime } = info;
    return { limit, remaining, reset: resetTime ?? windowMs, allowed: used <= limit, window: windowMs };
  };
}

/**
 * Create `consume` from a limiter of rate-limiter-flexible.
 *
 * @param keyOf returns the key under which a request is counted
 * @example
 * const consume = rateLimiterFlexible(limiter, (req) => getPrincipal(req).subject);
 */
export function rateLimiterFlexible(limiter: FlexibleLimiter, keyOf: (req: Request) => string): ConsumeRateLimit {
  return async function consumeRateLimiterFlexible(req) {
    try {
      return toRateLimit(await limiter.consume(keyOf(req)), true);
    } catch (thrown) {
      if (isFlexibleResult(thrown)) return toRateLimit(thrown, false); // it rejects with a result when the limit is exceeded
      throw thrown;
    }
  };

  function toRateLimit({ remainingPoints, msBeforeNext }: FlexibleResult, allowed: boolean): RateLimit {
    const reset = msBeforeNext < 0 ? NEVER : msBeforeNext;
    const { points: limit, duration = 0 } = limiter;
    return { limit, remaining: remainingPoints, reset, allowed, ...(duration > 0 && { window: duration * 1_000 }) };
  }
}

/** The members of a limiter of rate-limiter-flexible that are used. */
export interface FlexibleLimiter {
  /** How many requests the window allows. */
  readonly points: number;
  /** How long a window is, in seconds; 0 for ever. */
  readonly duration?: number;
  consume(key: string): Promise<FlexibleResult>;
}

/** The members of a result of rate-limiter-flexible that are used. */
export interface FlexibleResult {
  /** How many requests are left. */
  readonly remainingPoints: number;
  /** Until the window ends; -1 when the key is blocked forever. */
  readonly msBeforeNext: number;
}

/** Options of express-rate-limit that set its response. */
export type ResponseOption = (typeof RESPONSE_OPTIONS)[number];

interface ExpressRateLimitOptions {
  readonly requestPropertyName?: string;
  readonly windowMs?: number;
}

/** The property that express-rate-limit sets on the request. */
interface ExpressRateLimitInfo {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Absent with some stores. */
  readonly resetTime?: Date;
}

const passOn: RequestHandler = (_req, _res, next) => {
  next();
};

function isFlexibleResult(thrown: unknown): thrown is FlexibleResult {
  return !(thrown instanceof Error) && typeof (thrown as Partial<FlexibleResult> | null)?.msBeforeNext === "number";
}

function exceeded(limit: number, seconds: number): ApiError {
  const causes = [`The limit of ${toCount(limit)} is used up; try again in ${seconds} s.`];
  const headers = { "Retry-After": String(seconds) };
  return apiError("E0000047", { type: "rate-limit.exceeded", causes, headers });
}

/** The log finds the failure in the error's `cause`. */
function unavailable(cause: unknown): ApiError {
  return apiError("E0009011", { type: "rate-limit.unavailable", cause });
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error("expressRateLimit: the limiter failed", { cause: thrown });
}

function parseOptions(options: Readonly<RateLimitHeadersOptions>): Required<RateLimitHeadersOptions> {
  assertKnownOptions("rateLimitHeaders", options, OPTIONS, "app.use(rateLimitHeaders({ … }))");
  const { consume } = options;
  if (typeof consume !== "function") throw optionError("rateLimitHeaders", "consume", "a function");
  return {
    consume,
    standardFields: booleanOption("rateLimitHeaders", "standardFields", options.standardFields, false),
    failOpen: functionOption("rateLimitHeaders", "failOpen", options.failOpen, () => false),
    now: functionOption("rateLimitHeaders", "now", options.now, Date.now),
  };
}
