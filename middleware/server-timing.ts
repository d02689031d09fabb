import type { ServerResponse } from "node:http";
import type { Request } from "express";
import {
  assertKnownOptions,
  createRequestSlot,
  fromStep,
  functionOption,
  isPromise,
  type Middleware,
  type NothingElse,
  optionError,
} from "../lib/factory/index.js";
import { isObject } from "../lib/json/index.js";
import { isToken } from "../lib/text/index.js";

const FACTORY = "serverTiming";

/** The time of the whole request. */
const TOTAL = "total";

const MAX_METRICS = 16;
const MAX_NAME = 32;
const DESCRIPTION_REGEXP = /^[\x20-\x7e]{0,64}$/;

const slot = createRequestSlot<ServerTiming>(FACTORY);

/** Measures the parts of one request. */
export interface ServerTiming {
  /** Whether the response shows the times. Otherwise nothing is measured. */
  readonly isSent: boolean;

  /**
   * Add to the time of a metric. What comes after the head of the response is not sent.
   *
   * @param milliseconds 0 or more
   * @throws {TypeError} when the option `metrics` doesn't have the name, or the number is none
   */
  add(name: string, milliseconds: number): void;

  /**
   * Call `work`, and add its time to that of a metric. If `work` returns a promise, the time ends when it settles. Work at
   * the same time counts twice.
   *
   * @returns what `work` returns
   * @throws {TypeError} when the option `metrics` doesn't have the name
   * @throws what `work` throws
   */
  measure<T>(name: string, work: () => T): T;
}

export interface ServerTimingOptions {
  /**
   * Whether this client may see how long the parts of its request take. Only `true` counts, so it must not be
   * asynchronous. It is asked once, when the request comes.
   */
  isTrusted: (req: Request) => boolean;

  /**
   * The metrics that handlers measure, and what they are, such as `{ db: "Database" }`. At most 16. A name is a token (RFC
   * 9110) of 1–32 characters, and not `total`; a description has at most 64 characters of ASCII and may be empty.
   *
   * @default {}
   */
  metrics?: Readonly<Record<string, string>>;

  /**
   * A clock in milliseconds.
   *
   * @default performance.now
   */
  now?: () => number;
}

const OPTIONS: Record<keyof ServerTimingOptions, true> = { isTrusted: true, metrics: true, now: true };

/**
 * Send `Server-Timing` (W3C) to clients that are trusted: `total`, the time from this middleware to the head of the response,
 * and the metrics that handlers measured. Does not measure for others, and sends them nothing.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 * @example
 * const operators = compileIpRanges(["10.0.0.0/8"]);
 * app.use(requestContext());
 * app.use(
 *   serverTiming({ isTrusted: (req) => operators(getRequestContext(req).ip ?? ""), metrics: { db: "Database" } }),
 * );
 * app.get("/users/:id", async (req, res) => {
 *   res.json(await getServerTiming(req).measure("db", () => store.find(req.params.id)));
 * });
 */
export function serverTiming(options: Readonly<ServerTimingOptions>, ..._: NothingElse): Middleware {
  const { isTrusted, metrics, now } = parseOptions(options);
  const unmeasured: ServerTiming = {
    isSent: false,
    add: assertTime,
    measure(name, work) {
      descriptionOf(name);
      return work();
    },
  };

  return fromStep("serverTimingMiddleware", (req, res) => {
    // a promise is truthy, so only `true` counts
    slot.set(req, (isTrusted(req) as unknown) === true ? startTiming(res) : unmeasured);
    return undefined;
  });

  function startTiming(res: ServerResponse): ServerTiming {
    const start = now();
    const times = new Map<string, number>();
    sendInHead(res, () => [`${TOTAL};dur=${formatTime(now() - start)}`, ...Array.from(times, formatMetric)].join(", "));
    const add = (name: string, milliseconds: number): void => {
      assertTime(name, milliseconds);
      times.set(name, (times.get(name) ?? 0) + milliseconds);
    };
    return {
      isSent: true,
      add,
      measure<T>(name: string, work: () => T): T {
        descriptionOf(name);
        const begin = now();
        const end = (): void => {
          add(name, Math.max(0, now() - begin));
        };
        return settle(work, end);
      },
    };
  }

  function formatMetric([name, milliseconds]: readonly [string, number]): string {
    return `${name};dur=${formatTime(milliseconds)}${descriptionOf(name)}`;
  }

  function assertTime(name: string, milliseconds: number): void {
    descriptionOf(name);
    if (!(Number.isFinite(milliseconds) && milliseconds >= 0)) {
      throw new TypeError(`${FACTORY}: the time of \`${name}\` must be a number of milliseconds, 0 or more`);
    }
  }

  /** The parameter `desc`, or nothing. */
  function descriptionOf(name: string): string {
    const description = metrics.get(name);
    if (description === undefined) throw new TypeError(`${FACTORY}: option \`metrics\` has no \`${name}\``);
    return description;
  }
}

/**
 * The times of this request, for what serves it.
 *
 * @throws {Error} when `serverTiming()` did not run for this request
 */
export function getServerTiming(req: object): ServerTiming {
  return slot.get(req);
}

/** Node calls `writeHead` for every response, also for one whose code did not. */
function sendInHead(res: ServerResponse, format: () => string): void {
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse;
  res.writeHead = (...args: unknown[]) => {
    if (!res.headersSent) {
      const own = res.getHeader("Server-Timing") ?? [];
      res.setHeader("Server-Timing", [own, format()].flat().join(", "));
    }
    return writeHead(...args);
  };
}

/** Call `end` when `work`, or what it promised, is done. */
function settle<T>(work: () => T, end: () => void): T {
  let result: T;
  try {
    result = work();
  } catch (error) {
    end();
    throw error;
  }
  if (isPromise(result)) return Promise.resolve(result).finally(end) as T;
  end();
  return result;
}

/** In milliseconds, to the microsecond. */
function formatTime(milliseconds: number): string {
  return String(Math.round(Math.max(0, milliseconds) * 1000) / 1000);
}

function parseOptions(options: Readonly<ServerTimingOptions>) {
  assertKnownOptions(FACTORY, options, OPTIONS, `app.use(${FACTORY}({ … }))`);
  if (typeof options.isTrusted !== "function") throw optionError(FACTORY, "isTrusted", "a function");
  return {
    isTrusted: options.isTrusted,
    metrics: compileMetrics(options.metrics),
    now: functionOption(FACTORY, "now", options.now, performance.now.bind(performance)),
  };
}

/** The parameter `desc` of each metric. */
function compileMetrics(metrics: unknown = {}): Map<string, string> {
  const entries: [string, unknown][] = isObject(metrics) ? Object.entries(metrics) : [];
  const isValid = ([name, description]: [string, unknown]): boolean =>
    isToken(name) &&
    name.length <= MAX_NAME &&
    name !== TOTAL &&
    typeof description === "string" &&
    DESCRIPTION_REGEXP.test(description);
  if (!isObject(metrics) || entries.length > MAX_METRICS || !entries.every(isValid)) {
    throw optionError(
      FACTORY,
      "metrics",
      `an object of at most ${MAX_METRICS} names (tokens of 1 to ${MAX_NAME} characters, not \`${TOTAL}\`) and descriptions (at most 64 characters of ASCII)`,
    );
  }
  return new Map(
    (entries as [string, string][]).map(([name, text]) => [name, text && `;desc="${text.replace(/["\\]/g, "\\$&")}"`]),
  );
}
