import type { ErrorRequestHandler, Request, RequestHandler } from "express";
import type { IpRangeSet } from "etiquette/ip-ranges";
import { rateLimitHeaders, type RateLimit } from "etiquette/rate-limit-headers";
import { requestNotes } from "../audit/request-facts.js";
import type { RateClass, RateLimits } from "../model/rate-limits.js";
import { tryGetTenant } from "../tenancy/tenant.js";
import { createExpiringMap, type ExpiringMap } from "./expiring-map.js";
import { credentialsKey, findAddressBudgets, findTokenBudgets, type RateBudget } from "./rate-budgets.js";
import type { RateCounters } from "./rate-counters.js";

/** Refusals that are remembered. Beyond that, a window may get a second event. */
const MAX_REFUSALS = 10_000;

const WEBFINGER_PATH = "/.well-known/webfinger";
const SIGN_ON_PATH = "/sso/";

/** Limits the requests of clients (rule S8). */
export interface RateLimiter {
  /** Limits WebFinger and sign-on by address, and refuses addresses that failed too often elsewhere. */
  readonly byAddress: RequestHandler;
  /** Limits an operation that needs no credentials, by address. */
  readonly ofPublic: (kind: RateClass) => RequestHandler;
  /** Refuses credentials that are beyond a limit in this window, without asking the database for them. */
  readonly beforeAuthentication: (kind: RateClass) => RequestHandler;
  /** Limits an operation by token and org. Mount it after `authenticate`. */
  readonly byToken: (kind: RateClass) => RequestHandler;
  /** Counts failed requests that nothing else counted. Mount it before the error formatter. */
  readonly byFailure: ErrorRequestHandler;
}

export interface RateLimiterOptions {
  /** Limits of orgs that have none of their own. */
  limits: RateLimits;
  counters: RateCounters;
  /** Whether an address is a proxy of the service. */
  isProxy: IpRangeSet;
}

// eslint-disable-next-line max-lines-per-function -- the middlewares share the counters and the refusals
export function createRateLimiter({ limits, counters, isProxy }: Readonly<RateLimiterOptions>): RateLimiter {
  const addressBudgets = findAddressBudgets(limits, isProxy);
  const tokenBudgets = findTokenBudgets(limits);
  const told = createExpiringMap<true>(MAX_REFUSALS); // by the key of a budget
  const failed = createExpiringMap<RateLimit>(MAX_REFUSALS); // by the key of a budget
  const exhausted = createExpiringMap<RateLimit>(MAX_REFUSALS); // by credentials

  const countFailure = rateLimitHeaders({
    async consume(req) {
      const states = await Promise.all(
        addressBudgets("failures", req).map(async (budget) => {
          const state = await count(budget);
          if (state.remaining === 0) remember(failed, budget.key, state);
          return { ...state, allowed: true }; // it has failed already
        }),
      );
      return states.sort((a, b) => a.remaining - b.remaining)[0];
    },
  });

  return {
    byAddress: rateLimitHeaders({
      consume(req) {
        const { path, method } = req;
        if (path.startsWith(SIGN_ON_PATH)) return spend(req, "signOn", addressBudgets("signOn", req));
        if (path !== WEBFINGER_PATH) return failed.isEmpty() ? undefined : findFailed(req);
        return method === "OPTIONS" ? undefined : spend(req, "discovery", addressBudgets("discovery", req));
      },
    }),

    ofPublic: (kind) => rateLimitHeaders({ consume: (req) => spend(req, kind, addressBudgets(kind, req)) }),

    beforeAuthentication(kind) {
      const refuseAgain = rateLimitHeaders({
        consume(req) {
          const state = exhausted.get(credentialsKey(kind, req));
          if (state) requestNotes.get(req).exceeded = null;
          return state;
        },
      });
      return (req, res, next) => {
        if (exhausted.isEmpty()) next();
        else refuseAgain(req, res, next);
      };
    },

    byToken: (kind) =>
      rateLimitHeaders({
        async consume(req) {
          const state = await spend(req, kind, tokenBudgets(kind, req));
          if (state?.allowed === false) remember(exhausted, credentialsKey(kind, req), state);
          return state;
        },
      }),

    byFailure(error: unknown, req, res, next) {
      const isCounted = res.hasHeader("X-Rate-Limit-Limit") || tryGetTenant(req) === undefined;
      if (isCounted || isServerFault(error)) {
        next(error);
        return;
      }
      countFailure(req, res, () => {
        next(error);
      });
    },
  };

  /** Count the request in each budget until one is used up. Returns the state of the one with the least left. */
  async function spend(req: Request, kind: RateClass, budgets: readonly RateBudget[]): Promise<RateLimit | undefined> {
    let least: RateLimit | undefined;
    for (const budget of budgets) {
      const state = await count(budget);
      if (!state.allowed) return refuse(req, kind, budget, state);
      if (least === undefined || state.remaining < least.remaining) least = state;
    }
    return least;
  }

  async function count({ key, limit }: RateBudget): Promise<RateLimit> {
    const { consumedPoints, msBeforeNext } = await counters.count(key, limit);
    const remaining = Math.max(0, limit - consumedPoints);
    return { limit, remaining, reset: msBeforeNext, allowed: consumedPoints <= limit };
  }

  /** The refusal of an address that failed too often. */
  function findFailed(req: Request): RateLimit | undefined {
    for (const budget of addressBudgets("failures", req)) {
      const state = failed.get(budget.key);
      if (state) return refuse(req, "failures", budget, state);
    }
    return undefined;
  }

  /** Note for the log what was exceeded. Only the first refusal of a window has an event. */
  function refuse(req: Request, kind: RateClass, { key, limit, owner }: RateBudget, state: RateLimit): RateLimit {
    const isTold = told.get(key) === true;
    if (!isTold) told.set(key, true, restOf(state));
    requestNotes.get(req).exceeded = isTold ? null : `The limit of ${kind} is ${limit} for this ${owner}.`;
    return state;
  }
}

/** Refuse what has this key until the window ends. */
function remember(refusals: ExpiringMap<RateLimit>, key: string, state: RateLimit): void {
  const rest = restOf(state);
  refusals.set(key, { ...state, allowed: false, reset: new Date(Date.now() + rest) }, rest);
}

/** Milliseconds until the window ends. */
function restOf({ reset }: RateLimit): number {
  return typeof reset === "number" ? reset : reset.getTime() - Date.now();
}

function isServerFault(error: unknown): boolean {
  const { status } = error as { status?: unknown };
  return typeof status !== "number" || status >= 500;
}
