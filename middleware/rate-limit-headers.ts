import type { Request, RequestHandler, Response } from "express";
import { apiError, type ApiError } from "../lib/errors/index.js";
import { assertKnownOptions, functionOption, optionError } from "../lib/options/index.js";

/** Fields by which limiters tell the same in other words, and `Retry-After`, which is ours to give. */
const FIELDS_OF_LIMITERS = [
  "RateLimit",
  "RateLimit-Limit",
  "RateLimit-Policy",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];

/** What rate-limiter-flexible calls -1 milliseconds, for a key that is blocked for good; a header must name an instant. */
const NEVER = 365 * 24 * 60 * 60 * 1000;

/** The window of express-rate-limit when its options name none. */
const DEFAULT_WINDOW = 60_000;

/** What a limiter knows of a request that it counted. */
export interface RateLimit {
  /** How many the window takes. */
  readonly limit: number;
  /** How many are left; below zero counts as none. */
  readonly remaining: number;
  /** When the window ends: an instant, or the milliseconds until then. */
  readonly reset: Date | number;
  /** Whether this request is within the limit. */
  readonly allowed: boolean;
}

/** Count a request. Nothing is returned for one that is not limited; it throws or rejects when it can't be counted. */
export type ConsumeRateLimit = (
  req: Request,
  res: Response,
) => RateLimit | null | undefined | Promise<RateLimit | null | undefined>;

export interface RateLimitHeadersOptions {
  /**
   * The limiter: counts the request and says what is left. See {@link expressRateLimit}, {@link rateLimiterFlexible}.
   */
  consume: ConsumeRateLimit;

  /**
   * Asked when `consume` failed, because its store is down: whether the request may pass, without the headers. Anything
   * but `true` is a no, and answered with 503. The place to log what is let through.
   *
   * @default () => false
   */
  failOpen?: (error: unknown, req: Request) => boolean;

  /**
   * The time, in milliseconds since 1970-01-01T00:00:00Z.
   *
   * @default Date.now
   */
  now?: () => number;
}

const OPTIONS: Record<keyof RateLimitHeadersOptions, true> = { consume: true, failOpen: true, now: true };

/**
 * Tell every client what is left of its rate limit: one each of `X-Rate-Limit-Limit`, `X-Rate-Limit-Remaining` and
 * `X-Rate-Limit-Reset` (UTC, in seconds), and nothing of the limiter's own words. Over the limit the answer is 429
 * `E0000047` with `Retry-After`. Does not count: `consume` does.
 *
 * @throws {TypeError} when an option is unknown, missing or of the wrong type
 */
export function rateLimitHeaders(options: Readonly<RateLimitHeadersOptions>): RequestHandler {
  const { consume, failOpen, now } = parseOptions(options);

  return function rateLimitHeadersMiddleware(req, res, next) {
    void evaluate(req, res)
      .catch((error: unknown) => unavailable(error))
      .then((refusal) => {
        if (!res.headersSent) next(refusal); // else a time-out answered while the limiter was asked
      });
  };

  /** The error to answer with, if any. */
  async function evaluate(req: Request, res: Response): Promise<Error | undefined> {
    let state: RateLimit | null | undefined;
    try {
      state = await consume(req, res);
    } catch (error) {
      const mayPass: unknown = failOpen(error, req);
      return mayPass === true ? undefined : unavailable(error); // the promise of an async function is no yes
    }
    if (state === undefined || state === null || res.headersSent) return undefined;

    const { limit, remaining, reset, allowed } = state;
    const time = now();
    const end = typeof reset === "number" ? time + reset : Number(reset);
    if (![limit, remaining, end].every(Number.isFinite) || typeof allowed !== "boolean") {
      return new TypeError("rateLimitHeaders: `consume` must return { limit, remaining, reset, allowed }, or nothing");
    }
    for (const name of FIELDS_OF_LIMITERS) res.removeHeader(name);
    res.setHeader("X-Rate-Limit-Limit", toCount(limit));
    res.setHeader("X-Rate-Limit-Remaining", toCount(remaining));
    res.setHeader("X-Rate-Limit-Reset", Math.ceil(end / 1000));
    res.sendDate = true; // clients with a clock of their own compare Reset with Date
    return allowed ? undefined : exceeded(limit, Math.max(1, Math.ceil((end - time) / 1000)));
  }
}

/**
 * `consume` by express-rate-limit: `expressRateLimit(rateLimit, { windowMs: 60_000, limit: 600 })`. The options are those
 * of that package but for the ones that shape its answer, which is ours.
 *
 * @param rateLimit what the package exports under this name
 */
export function expressRateLimit<RateLimiter extends (options: never) => unknown>(
  rateLimit: RateLimiter,
  options: Omit<NonNullable<Parameters<RateLimiter>[0]>, ResponseOption> = {} as never,
): ConsumeRateLimit {
  const { requestPropertyName = "rateLimit", windowMs = DEFAULT_WINDOW } = options as ExpressRateLimitOptions;
  const create = rateLimit as unknown as (options: object) => RequestHandler;
  const limiter = create({ ...options, legacyHeaders: false, standardHeaders: false, handler: passOn });

  return async function consumeExpressRateLimit(req, res) {
    Reflect.deleteProperty(req, requestPropertyName); // what another limiter left, should this one skip the request
    await new Promise<void>((resolve, reject) => {
      void limiter(req, res, (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(toError(error));
      });
    });
    const info = Reflect.get(req, requestPropertyName) as ExpressRateLimitInfo | undefined;
    if (info === undefined) return undefined;
    const { limit, used, remaining, resetTime } = info;
    return { limit, remaining, reset: resetTime ?? windowMs, allowed: used <= limit };
  };
}

/**
 * `consume` by a limiter of rate-limiter-flexible: `rateLimiterFlexible(limiter, (req) => getPrincipal(req).id)`.
 *
 * @param keyOf whom the request is counted for
 */
export function rateLimiterFlexible(limiter: FlexibleLimiter, keyOf: (req: Request) => string): ConsumeRateLimit {
  return async function consumeRateLimiterFlexible(req) {
    try {
      return toRateLimit(await limiter.consume(keyOf(req)), true);
    } catch (thrown) {
      if (isFlexibleResult(thrown)) return toRateLimit(thrown, false); // it rejects with a result when it is exceeded
      throw thrown;
    }
  };

  function toRateLimit({ remainingPoints, msBeforeNext }: FlexibleResult, allowed: boolean): RateLimit {
    const reset = msBeforeNext < 0 ? NEVER : msBeforeNext;
    return { limit: limiter.points, remaining: remainingPoints, reset, allowed };
  }
}

/** What is used of a limiter of rate-limiter-flexible. */
export interface FlexibleLimiter {
  readonly points: number;
  consume(key: string): Promise<FlexibleResult>;
}

/** What is used of its results. */
export interface FlexibleResult {
  readonly remainingPoints: number;
  readonly msBeforeNext: number;
}

/** Options of express-rate-limit that set its response. */
export type ResponseOption = "handler" | "identifier" | "legacyHeaders" | "message" | "standardHeaders" | "statusCode";

interface ExpressRateLimitOptions {
  readonly requestPropertyName?: string;
  readonly windowMs?: number;
}

/** What it leaves on the request. */
interface ExpressRateLimitInfo {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** Not every store knows it. */
  readonly resetTime?: Date;
}

const passOn: RequestHandler = (_req, _res, next) => {
  next();
};

function isFlexibleResult(thrown: unknown): thrown is FlexibleResult {
  return !(thrown instanceof Error) && typeof (thrown as Partial<FlexibleResult> | null)?.msBeforeNext === "number";
}

/** A field holds a whole number that is not negative. */
function toCount(value: number): number {
  return Math.max(0, Math.floor(value));
}

function exceeded(limit: number, seconds: number): ApiError {
  const causes = [`The limit of ${toCount(limit)} is used up; try again in ${seconds} s.`];
  const headers = { "Retry-After": String(seconds) };
  return apiError("E0000047", { type: "rate-limit.exceeded", causes, headers });
}

/** The log finds what broke as the error's `cause`. */
function unavailable(cause: unknown): ApiError {
  return apiError("E0009011", { type: "rate-limit.unavailable", cause });
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error("expressRateLimit: the limiter failed", { cause: thrown });
}

function parseOptions(options: Readonly<RateLimitHeadersOptions>): Required<RateLimitHeadersOptions> {
  assertKnownOptions("rateLimitHeaders", options, OPTIONS);
  const { consume } = options;
  if (typeof consume !== "function") throw optionError("rateLimitHeaders", "consume", "a function");
  return {
    consume,
    failOpen: functionOption("rateLimitHeaders", "failOpen", options.failOpen, () => false),
    now: functionOption("rateLimitHeaders", "now", options.now, Date.now),
  };
}
