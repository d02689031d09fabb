import type { IpRangeSet } from "etiquette/ip-ranges";
import type { Logger } from "pino";
import { NO_WATCH, resumeAfter, type TurnWatch } from "../pace/turn-watch.js";
import type { ChangeListener } from "../store/contract/engine.js";
import type { Store } from "../store/store.js";
import { createRoutingCache, type RoutingCache } from "./routing-cache.js";
import { createTurns, type Turns } from "../pace/slices.js";
import { createTenants, type Tenants, type TenantsOptions } from "./tenants.js";
import { createTrustCache, type TrustCache, type TrustCacheOptions } from "./trust-cache.js";

/** All that a process keeps in memory about orgs. */
export interface OrgCaches {
  readonly tenants: Tenants;
  readonly trusts: TrustCache;
  readonly routings: RoutingCache;
  /** Revalidate what is known of an org, or of all. */
  readonly expire: ChangeListener;
}

export interface OrgCachesOptions {
  store: Store;
  /** `maxBytes` is for all caches together. */
  settings: TenantsOptions;
  /** The trusted proxies of the service. */
  trustedProxies: IpRangeSet;
  proofsOf: TrustCacheOptions["proofsOf"];
  log: Logger;
  /** @default NO_WATCH */
  watch?: TurnWatch;
}

/** The part of the memory that compiled rules may take; each of the other two caches may take half of the rest. */
const ROUTING_SHARE = 0.75;

export function createOrgCaches({
  store,
  settings,
  trustedProxies,
  proofsOf,
  log,
  watch = NO_WATCH,
}: Readonly<OrgCachesOptions>): OrgCaches {
  const routingBytes = settings.maxBytes * ROUTING_SHARE;
  const otherBytes = (settings.maxBytes - routingBytes) / 2;
  const inTurn = createTurns();
  const turns: Turns = (orgId) => resumeAfter(watch, "rules", inTurn(orgId));
  const tenants = createTenants(store, { ...settings, maxBytes: otherBytes });
  const trusts = createTrustCache({ store, trustedProxies, proofsOf, maxBytes: otherBytes, turns });
  const routings = createRoutingCache({
    store,
    maxBytes: routingBytes,
    turns,
    report(facts) {
      log.debug(facts, "rules compiled");
    },
  });

  return {
    tenants,
    trusts,
    routings,
    expire(orgId) {
      for (const cache of [tenants, trusts, routings]) cache.expire(orgId);
    },
  };
}
