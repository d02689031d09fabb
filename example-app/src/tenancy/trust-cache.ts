import type { CredentialsVerifier } from "etiquette/authenticate";
import { compileIpRanges, parseIpRange, type IpRangeSet } from "etiquette/ip-ranges";
import { jwtVerifier, type DpopOptions } from "etiquette/jwt-verifier";
import type { Steps } from "../pace/steps.js";
import { compileZonesInSteps } from "../discovery/zones.js";
import type { Issuer, Zone } from "../model/records.js";
import type { Store } from "../store/store.js";
import { createRevalidatingCache, type RevalidatingCache } from "./revalidating-cache.js";
import { MAX_AGE_MS, MAX_ORGS, type OrgCacheOptions } from "./routing-cache.js";
import { createTurns, runInSlices } from "../pace/slices.js";

/** Verifiers, and the stored issuer that they were compiled from. */
interface IssuerVerifier {
  readonly lastUpdated: string;
  /** For tokens that whoever has them may use. */
  readonly verify: CredentialsVerifier;
  /** For tokens that are bound to a key of the client (RFC 9449). */
  readonly verifyBound: CredentialsVerifier;
}

/** Whom and what one org trusts, at one revision: all that requests other than WebFinger need of its records. */
export interface OrgTrust {
  readonly revision: number;
  /** Proxies with a trusted `X-Forwarded-For` (rule C3): those of the service and those of the org's zones. */
  readonly trustedProxies: IpRangeSet;
  /** Origins whose pages may call the API. */
  readonly trustedOrigins: readonly string[];
  /** Origins to which people may be sent. */
  readonly redirectOrigins: readonly string[];
  /** Verifiers of access tokens, by issuer. */
  readonly accessTokenVerifiers: ReadonlyMap<string | undefined, IssuerVerifier>;
  /** The name of the first active zone, in the order of names, whose gateways contain this address. */
  readonly findZone: (address: string | undefined) => string | undefined;
  /** The approximate memory that it takes. */
  readonly bytes: number;
}

/** What orgs trust, by org id. */
export type TrustCache = RevalidatingCache<string, OrgTrust>;

export interface TrustCacheOptions extends Omit<OrgCacheOptions, "report"> {
  store: Pick<Store, "currentRevision" | "hears" | "loadTrustData">;
  /** The trusted proxies of the service. */
  trustedProxies: IpRangeSet;
  /** What proofs of an org's clients must be like. */
  proofsOf: (orgId: string) => DpopOptions;
}

/** Compile what an org trusts on first use, and again only when its revision has changed. */
export function createTrustCache(options: Readonly<TrustCacheOptions>): TrustCache {
  const { store, trustedProxies, proofsOf, maxBytes, outage, turns = createTurns() } = options;
  return createRevalidatingCache({
    maxEntries: MAX_ORGS,
    maxBytes,
    maxAge: MAX_AGE_MS,
    hears: () => store.hears(),
    outage,
    orgOf: (orgId) => orgId,
    sizeOf: (_, trust) => trust?.bytes ?? 0,
    async load(orgId, known: OrgTrust | undefined) {
      if (known && (await store.currentRevision(orgId)) === known.revision) return known;
      const data = await store.loadTrustData(orgId);
      if (!data) return undefined;
      const { revision, zones, trustedOrigins, redirectOrigins, issuers, bytes } = data;
      const { value: findZones } = await runInSlices(compileZonesInSteps(zones), turns(orgId));
      const { value: zoneProxies } = await runInSlices(compileProxiesInSteps(zones), turns(orgId));
      return {
        revision,
        trustedProxies: unite([...zoneProxies, trustedProxies]),
        trustedOrigins,
        redirectOrigins,
        accessTokenVerifiers: compileVerifiers(issuers, proofsOf(orgId), known?.accessTokenVerifiers),
        findZone: (address) => findZones(address)[0]?.name,
        bytes,
      };
    },
  });
}

/** Verifiers of unchanged issuers are reused: they hold fetched keys. */
function compileVerifiers(
  issuers: readonly Issuer[],
  dpop: DpopOptions,
  known: OrgTrust["accessTokenVerifiers"] = new Map(),
): OrgTrust["accessTokenVerifiers"] {
  return new Map(
    issuers.map((issuer) => {
      const verifier = known.get(issuer.issuer);
      if (verifier?.lastUpdated === issuer.lastUpdated) return [issuer.issuer, verifier];
      const { audience, keys, types: typ, lastUpdated } = issuer;
      const options = { issuer: issuer.issuer, audience, keys, typ };
      return [
        issuer.issuer,
        { lastUpdated, verify: jwtVerifier(options), verifyBound: jwtVerifier({ ...options, dpop }) },
      ];
    }),
  );
}

/** What each range costs, see {@link Steps}. */
const RANGE_COST = 8;

/**
 * The proxies of each active zone. None at all when they could hold every address together, because anyone could be one:
 * no org has as many proxies as there are addresses.
 */
function* compileProxiesInSteps(zones: Iterable<Zone>): Steps<IpRangeSet[]> {
  const compiled: IpRangeSet[] = [];
  const left = { 4: 1n << 32n, 6: 1n << 128n };
  for (const { proxies, gateways, status } of zones) {
    yield 1 + gateways.length;
    if (status !== "ACTIVE") continue;
    const ranges = proxies.map(({ value }) => parseIpRange(value));
    for (const { version, first, last } of ranges) left[version] -= last - first + 1n;
    compiled.push(compileIpRanges(ranges));
    yield ranges.length * RANGE_COST;
  }
  return left[4] > 0n && left[6] > 0n ? compiled : [];
}

function unite(sets: readonly IpRangeSet[]): IpRangeSet {
  return Object.assign((address: string | undefined) => sets.some((contains) => contains(address)), {
    rangeOf: (address: string | undefined) =>
      sets.reduce<string | undefined>((found, { rangeOf }) => found ?? rangeOf(address), undefined),
  });
}
