import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { apiError } from "../model/api-error.js";
import { isSignOnPath } from "../model/sign-on-path.js";
import type { LagSource } from "./event-loop-lag.js";

/** What is refused, the first first, and at which multiple of a limit. */
const STAGES = [
  { refuses: "api", factor: 1 },
  { refuses: "sign-on", factor: 2 },
  { refuses: "discovery", factor: 5 },
] as const;

/**
 * How many samples of the lag decide: the smallest says when refusing begins, the largest when it ends. One long turn of the
 * event loop, such as the compilation of many rules, is no overload.
 */
const WINDOW = 5;

/** Refusing ends when the pressure is below this part of what began it. */
const RELEASE = 0.5;

/** The pressure that refuses the API and nothing else. */
const API_ONLY = 1;

const RETRY_AFTER_SECONDS = "1";

/** The limits from which on the server is overloaded; `false` turns one off. */
export interface OverloadLimits {
  /** Milliseconds that the event loop is late. */
  readonly lag: number | false;
  /** Callers that wait for a connection to the database. */
  readonly waiting: number | false;
}

export interface OverloadOptions {
  limits: OverloadLimits;
  measureLag: LagSource;
  /** How many callers wait for a connection to the database now. */
  waiting: () => number;
  /**
   * Whether discovery and sign-on do without the database now. Then those who wait for it are no reason to refuse them.
   *
   * @default never
   */
  isBridged?: () => boolean;
  log: Pick<Logger, "warn">;
}

export interface Overload {
  /** Mount it before all work: it refuses with 503 `E0009011` what the server has no room for. */
  readonly middleware: RequestHandler;
  readonly close: () => void;
  /** How many requests it has refused. */
  readonly refusals: () => number;
}

/**
 * Refuse requests while the event loop lags or too many callers wait for the database: those to the API first, then
 * sign-on, WebFinger last. The log has a line when that begins, changes and ends; the refused requests have none.
 */
export function createOverload({
  limits,
  measureLag,
  waiting,
  isBridged = () => false,
  log,
}: Readonly<OverloadOptions>): Overload {
  const maxLag = limits.lag === false ? Infinity : limits.lag;
  const maxWaiting = limits.waiting === false ? Infinity : limits.waiting;
  const lags: number[] = [];
  let stage = 0; // how many of STAGES are refused
  let refused = 0; // in this overload
  let refusedBefore = 0;
  // one for all: to make an error costs more than to refuse a request
  const refusal = apiError("E0009011", { type: "server.overloaded", headers: { "Retry-After": RETRY_AFTER_SECONDS } });

  const stop = measureLag((lag) => {
    lags.push(lag);
    if (lags.length > WINDOW) lags.shift();
    const queue = queuePressure();
    const rising = lags.length < WINDOW ? 0 : Math.min(...lags) / maxLag;
    changeTo(
      stageOf(Math.max(rising, queue)),
      stageOf(Math.max(...lags.map((each) => each / maxLag), queue) / RELEASE),
    );
  });

  function queuePressure(): number {
    const pressure = waiting() / maxWaiting;
    return isBridged() ? Math.min(pressure, API_ONLY) : pressure;
  }

  /** @param least the stage that has begun @param most the stage that has not ended */
  function changeTo(least: number, most: number): void {
    const next = Math.max(least, Math.min(stage, most));
    if (next === stage) return;
    stage = next;
    const facts = { lagMs: Math.round(lags.at(-1) ?? 0), waiting: waiting() };
    if (stage > 0) {
      log.warn({ ...facts, refuses: STAGES.slice(0, stage).map(({ refuses }) => refuses) }, "overloaded");
    } else {
      log.warn({ ...facts, refused }, "no longer overloaded");
      refusedBefore += refused;
      refused = 0;
    }
  }

  return {
    middleware: function overloadMiddleware(req, _res, next) {
      const queued = stageOf(queuePressure());
      if (queued > stage) changeTo(queued, queued);
      if (rankOf(req.path) >= stage) {
        next();
        return;
      }
      refused++;
      next(refusal);
    },
    close: stop,
    refusals: () => refusedBefore + refused,
  };
}

/** How many stages this pressure, a multiple of a limit, begins. */
function stageOf(pressure: number): number {
  let stage = 0;
  for (const { factor } of STAGES) {
    if (pressure >= factor) stage++;
  }
  return stage;
}

/** The index in {@link STAGES} of a request. */
function rankOf(path: string): number {
  if (path.startsWith("/.well-known/")) return 2;
  return isSignOnPath(path) ? 1 : 0;
}
