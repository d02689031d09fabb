import { LRUCache } from "lru-cache";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import type { Principal } from "etiquette/authenticate";
import type { IpRangeSet } from "etiquette/ip-ranges";
import { rateLimitHeaders, type ConsumeRateLimit, type RateLimit } from "etiquette/rate-limit-headers";
import { requestNotes } from "../audit/request-facts.js";
import type { RateClass, RateLimits } from "../model/rate-limits.js";
import { isSignOnPath } from "../model/sign-on-path.js";
import type { Count } from "../store/contract/counter.js";
import { tryGetTenant } from "../tenancy/tenant.js";
import {
  credentialsKey,
  findAddressBudgets,
  findHostBudgets,
  findTokenBudgets,
  type RateBudget,
} from "./rate-budgets.js";
import type { RateCounters } from "./rate-counters.js";

/** Refusals of credentials that are remembered. The database is asked for others again. */
const MAX_REFUSALS = 10_000;

const WEBFINGER_PATH = "/.well-known/webfinger";

/** Limits the requests of clients (rule S8). */
export interface RateLimiter {
  /** Refuses addresses that asked for too many hosts without an org, before the database is asked for another one. */
  readonly byHost: RequestHandler;
  /** Limits WebFinger and sign-on by address, and refuses addresses that failed too often elsewhere. */
  readonly byAddress: RequestHandler;
  /** Limits an operation that needs no credentials, by address. */
  readonly ofPublic: (kind: RateClass) => RequestHandler;
  /** Refuses credentials that are beyond a limit in this window, without asking the database for them. */
  readonly beforeAuthentication: (kind: RateClass) => RequestHandler;
  /** Limits an operation by token and org. Mount it after `authenticate`. */
  readonly byToken: (kind: RateClass) => RequestHandler;
  /** The same for an operation that takes a token in its body; `undefined` for a request without one. */
  readonly byPrincipal: (kind: RateClass, find: (req: Request) => Principal | undefined) => RequestHandler;
  /** Counts failed requests that nothing else counted, and all with credentials that are not valid. Mount it before the error formatter. */
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
  const exhausted = new LRUCache<string, RateLimit>({ max: MAX_REFUSALS }); // by credentials
  let exhaustedUntil = 0; // when the last of their windows ends
  let failuresUntil = 0; // until then an address may have failed too often

  const countFailure = limitBy((req) => {
    const states = budgetsOfFailure(req).map((budget) => {
      const state = count(budget);
      if (state.remaining === 0) failuresUntil = Math.max(failuresUntil, performance.now() + restOf(state));
      return { ...state, allowed: true }; // it has failed already
    });
    return states;
  });

  return {
    byHost: limitBy((req) => findFailed(req)),

    byAddress: limitBy((req) => {
      const { path, method } = req;
      if (isSignOnPath(path)) return spend(req, "signOn", addressBudgets("signOn", req));
      if (path !== WEBFINGER_PATH) return findFailed(req);
      return method === "OPTIONS" ? undefined : spend(req, "discovery", addressBudgets("discovery", req));
    }),

    ofPublic: (kind) => limitBy((req) => spend(req, kind, addressBudgets(kind, req))),

    beforeAuthentication(kind) {
      const refuseAgain = limitBy((req) => {
        const state = exhausted.get(credentialsKey(kind, req));
        if (state) requestNotes.get(req).exceeded = null;
        return state;
      });
      return (req, res, next) => {
        if (performance.now() >= exhaustedUntil) next();
        else refuseAgain(req, res, next);
      };
    },

    byToken: (kind) =>
      limitBy((req) => {
        const states = spend(req, kind, tokenBudgets(kind, req));
        const refusal = states.find(({ allowed }) => !allowed);
        if (refusal) remember(credentialsKey(kind, req), refusal);
        return states;
      }),

    byPrincipal: (kind, find) =>
      limitBy((req) => {
        const principal = find(req);
        return principal && spend(req, kind, tokenBudgets(kind, req, principal));
      }),

    byFailure(error: unknown, req, res, next) {
      if (isFailure(error, req, res)) {
        countFailure(req, res, () => {
          next(error);
        });
      } else next(error);
    },
  };

  /** Count the request in each budget, unless one is used up: then its state is the only one. */
  function spend(req: Request, kind: RateClass, budgets: readonly RateBudget[]): readonly RateLimit[] {
    const refusal = findRefusal(req, kind, budgets);
    return refusal ? [refusal] : budgets.map(count);
  }

  function count(budget: RateBudget): RateLimit {
    return toRateLimit(budget, counters.count(budget));
  }

  function toRateLimit({ limit, kind: policy }: RateBudget, { consumedPoints, msBeforeNext }: Count): RateLimit {
    const allowed = consumedPoints <= limit;
    const remaining = Math.max(0, limit - consumedPoints);
    return { limit, remaining, reset: msBeforeNext, allowed, policy, window: counters.window };
  }

  /** Refuse what has this key until the window ends. */
  function remember(key: string, state: RateLimit): void {
    const rest = restOf(state);
    if (rest <= 0) return;
    exhaustedUntil = Math.max(exhaustedUntil, performance.now() + rest);
    const reset = new Date(Date.now() + rest);
    exhausted.set(key, { ...state, allowed: false, reset }, { ttl: Math.ceil(rest) });
  }

  /** The refusal of an address that failed too often. */
  function findFailed(req: Request): RateLimit | undefined {
    return performance.now() < failuresUntil ? findRefusal(req, "failures", budgetsOfFailure(req)) : undefined;
  }

  function budgetsOfFailure(req: Request): readonly RateBudget[] {
    return tryGetTenant(req) ? addressBudgets("failures", req) : findHostBudgets(limits, req);
  }

  /** The refusal by the first budget that is used up. Only the first one of a window has an event. */
  function findRefusal(req: Request, kind: RateClass, budgets: readonly RateBudget[]): RateLimit | undefined {
    for (const budget of budgets) {
      const state = toRateLimit(budget, counters.look(budget));
      if (state.remaining > 0) continue;
      const { limit, owner } = budget;
      requestNotes.get(req).exceeded = counters.isFirst(budget)
        ? `The limit of ${kind} is ${limit} for this ${owner}.`
        : null;
      return { ...state, allowed: false };
    }
    return undefined;
  }
}

function limitBy(consume: ConsumeRateLimit): RequestHandler {
  return rateLimitHeaders({ consume, standardFields: true });
}

/** Whether an error is a failure of the client that no limit has counted. Credentials that are not valid always are one. */
function isFailure(error: unknown, req: Request, res: Response): boolean {
  const { status, type } = error as { status?: unknown; type?: unknown };
  if (typeof status !== "number" || status >= 500) return false;
  if (status === 401) return true;
  return tryGetTenant(req) ? !res.hasHeader("X-Rate-Limit-Limit") : type === "host.unknown";
}

/** Milliseconds until the window ends. */
function restOf({ reset }: Pick<RateLimit, "reset">): number {
  return typeof reset === "number" ? reset : reset.getTime() - Date.now();
}
