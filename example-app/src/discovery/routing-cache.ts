import { compileIpRanges, type IpRangeSet } from "etiquette/ip-ranges";
import type { Zone } from "../model.js";
import { createRevalidatingCache, type RevalidatingCache } from "../revalidating-cache.js";
import type { Store } from "../store/store.js";
import { compileRouting, type Routing } from "./compile-routing.js";

/** Orgs whose compiled routing is kept in memory. */
const MAX_ORGS = 1_000;

/** The safety net under the notices of change: a lost notice is made up for after this time. */
const MAX_AGE_MS = 5_000;

/** What requests to one org are judged by, at one revision. */
export interface CompiledOrg {
  readonly orgId: string;
  readonly revision: number;
  readonly route: Routing;
  /** Whose `X-Forwarded-For` is believed (rule C3): the service's own proxies and those of the org's zones. */
  readonly trustedProxies: IpRangeSet;
}

/** By org id. */
export type RoutingCache = RevalidatingCache<string, CompiledOrg>;

export interface RoutingCacheOptions {
  store: Pick<Store, "currentRevision" | "loadRoutingData">;
  /** The service's own. */
  trustedProxies: IpRangeSet;
}

/** Compile the routing of an org when it is first asked for, and again only when its revision has moved. */
export function createRoutingCache({ store, trustedProxies }: Readonly<RoutingCacheOptions>): RoutingCache {
  return createRevalidatingCache({
    maxEntries: MAX_ORGS,
    maxAge: MAX_AGE_MS,
    async load(orgId, known: CompiledOrg | undefined) {
      if (known && (await store.currentRevision(orgId)) === known.revision) return known;
      const data = await store.loadRoutingData(orgId);
      if (!data) return undefined;
      return {
        orgId,
        revision: data.revision,
        route: compileRouting(data),
        trustedProxies: unite(compileZoneProxies(data.zones), trustedProxies),
      };
    },
  });
}

function compileZoneProxies(zones: readonly Zone[]): IpRangeSet {
  const active = zones.filter(({ status }) => status === "ACTIVE");
  return compileIpRanges(active.flatMap(({ proxies }) => proxies.map(({ value }) => value)));
}

function unite(one: IpRangeSet, other: IpRangeSet): IpRangeSet {
  return Object.assign((address: string | undefined) => one(address) || other(address), {
    rangeOf: (address: string | undefined) => one.rangeOf(address) ?? other.rangeOf(address),
  });
}
