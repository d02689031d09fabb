import type { CredentialsVerifier } from "etiquette/authenticate";
import type { IpRangeSet } from "etiquette/ip-ranges";
import { jwtVerifier } from "etiquette/jwt-verifier";
import { compileTrustedProxies } from "etiquette/trusted-proxies";
import { compileRouting, type Routing } from "../discovery/compile-routing.js";
import { createZoneCompiler } from "../discovery/zones.js";
import type { Issuer, Zone } from "../model/records.js";
import type { Store } from "../store/store.js";
import { createRevalidatingCache, type RevalidatingCache } from "./revalidating-cache.js";

/** Number of orgs whose compiled routing is cached. */
const MAX_ORGS = 1_000;

/** Limits the effect of a lost change notice: routing is revalidated after this time. */
const MAX_AGE_MS = 5_000;

/** A verifier, and the stored issuer that it was compiled from. */
export interface IssuerVerifier {
  readonly lastUpdated: string;
  readonly verify: CredentialsVerifier;
}

/** Compiled data of one org at one revision. */
export interface CompiledOrg {
  readonly orgId: string;
  readonly revision: number;
  readonly route: Routing;
  /** Proxies with a trusted `X-Forwarded-For` (rule C3): those of the service and those of the org's zones. */
  readonly trustedProxies: IpRangeSet;
  /** Origins whose pages may call the API. */
  readonly trustedOrigins: readonly string[];
  /** Verifiers of access tokens, by issuer. */
  readonly accessTokenVerifiers: ReadonlyMap<string | undefined, IssuerVerifier>;
  /** The name of the first active zone, in the order of names, whose gateways contain this address. */
  readonly findZone: (address: string | undefined) => string | undefined;
}

/** By org id. */
export type RoutingCache = RevalidatingCache<string, CompiledOrg>;

export interface RoutingCacheOptions {
  store: Pick<Store, "currentRevision" | "loadRoutingData">;
  /** The trusted proxies of the service. */
  trustedProxies: IpRangeSet;
}

/** Compile the routing of an org on first use, and again only when its revision has changed. */
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
        trustedOrigins: data.trustedOrigins,
        accessTokenVerifiers: compileVerifiers(data.issuers, known?.accessTokenVerifiers),
        findZone: compileZoneFinder(data.zones),
      };
    },
  });
}

/** Verifiers of unchanged issuers are reused: they hold fetched keys. */
function compileVerifiers(
  issuers: readonly Issuer[],
  known: CompiledOrg["accessTokenVerifiers"] = new Map(),
): CompiledOrg["accessTokenVerifiers"] {
  return new Map(
    issuers.map((issuer) => {
      const verifier = known.get(issuer.issuer);
      if (verifier?.lastUpdated === issuer.lastUpdated) return [issuer.issuer, verifier];
      const { audience, keys, lastUpdated } = issuer;
      return [issuer.issuer, { lastUpdated, verify: jwtVerifier({ issuer: issuer.issuer, audience, keys }) }];
    }),
  );
}

function compileZoneFinder(zones: readonly Zone[]): CompiledOrg["findZone"] {
  const compile = createZoneCompiler(zones);
  const compiled = zones.map(({ id, name }) => ({ name, holds: compile([id]) }));
  return (address) => compiled.find(({ holds }) => holds(address))?.name;
}

/** The proxies of the active zones; none when they hold every address together, because anyone could be one. */
function compileZoneProxies(zones: readonly Zone[]): IpRangeSet {
  const active = zones.filter(({ status }) => status === "ACTIVE");
  const ranges = active.flatMap(({ proxies }) => proxies.map(({ value }) => value));
  try {
    return compileTrustedProxies(ranges);
  } catch {
    return compileTrustedProxies([]);
  }
}

function unite(one: IpRangeSet, other: IpRangeSet): IpRangeSet {
  return Object.assign((address: string | undefined) => one(address) || other(address), {
    rangeOf: (address: string | undefined) => one.rangeOf(address) ?? other.rangeOf(address),
  });
}
