import type { IpRangeSet } from "etiquette/ip-ranges";
import type { Logger } from "pino";
import { NO_WATCH, resumeAfter, type TurnWatch } from "../pace/turn-watch.js";
import type { ChangeListener } from "../store/contract/engine.js";
import type { Store } from "../store/store.js";
import { createAnalysisCache, type AnalysisCache } from "./analysis-cache.js";
import { createOutage, type Outage } from "./outage.js";
import { createRefresher } from "./refresher.js";
import { createRoutingCache, type RoutingCache } from "./routing-cache.js";
import { createTurns, type Turns } from "../pace/slices.js";
import { createSignOnCache, type SignOnCache } from "./sign-on-cache.js";
import { createTenants, type Tenants, type TenantsOptions } from "./tenants.js";
import { createTrustCache, type TrustCache, type TrustCacheOptions } from "./trust-cache.js";

/** All that a process keeps in memory about orgs. */
export interface OrgCaches {
  readonly tenants: Tenants;
  readonly trusts: TrustCache;
  readonly routings: RoutingCache;
  readonly signOns: SignOnCache;
  readonly analyses: AnalysisCache;
  readonly outage: Outage;
  /** Revalidate what is known of an org, or of all. */
  readonly expire: ChangeListener;
}

export interface OrgCachesOptions {
  store: Store;
  /** `maxBytes` is for all caches together. */
  settings: TenantsOptions;
  /** Milliseconds for which what is known counts while the database doesn't answer; 0 for never. */
  staleLimit: number;
  /** The trusted proxies of the service. */
  trustedProxies: IpRangeSet;
  proofsOf: TrustCacheOptions["proofsOf"];
  log: Logger;
  /** @default NO_WATCH */
  watch?: TurnWatch;
}

/** The parts of the memory that compiled rules, and analysed ones, may take; each of the other three caches may take a third of the rest. */
const ROUTING_SHARE = 0.65;
const ANALYSIS_SHARE = 0.1;

export function createOrgCaches({
  store,
  settings,
  staleLimit,
  trustedProxies,
  proofsOf,
  log,
  watch = NO_WATCH,
}: Readonly<OrgCachesOptions>): OrgCaches {
  const routingBytes = settings.maxBytes * ROUTING_SHARE;
  const analysisBytes = settings.maxBytes * ANALYSIS_SHARE;
  const otherBytes = (settings.maxBytes - routingBytes - analysisBytes) / 3;
  const inTurn = createTurns();
  const turns: Turns = (orgId) => resumeAfter(watch, "rules", inTurn(orgId));
  const outage = createOutage({
    limit: staleLimit,
    ping: () => store.ping(),
    log,
    unopenedFor: () => store.snapshotAge(),
  });
  const tenants = createTenants(store, { ...settings, maxBytes: otherBytes, outage });
  const trusts = createTrustCache({ store, trustedProxies, proofsOf, maxBytes: otherBytes, outage, turns });
  const signOns = createSignOnCache({ store, maxBytes: otherBytes, outage });
  const routings = createRoutingCache({
    store,
    maxBytes: routingBytes,
    outage,
    turns,
    report(facts) {
      log.debug(facts, "rules compiled");
    },
  });
  const analyses = createAnalysisCache({ store, maxBytes: analysisBytes, turns });
  const refresh = staleLimit > 0 ? createRefresher([tenants, trusts, routings, signOns]) : () => undefined;

  return {
    tenants,
    trusts,
    routings,
    signOns,
    analyses,
    outage,
    expire(orgId) {
      for (const cache of [tenants, trusts, routings, signOns, analyses]) cache.expire(orgId);
      refresh(orgId);
    },
  };
}
