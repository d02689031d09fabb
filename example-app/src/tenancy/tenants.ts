import type { Org } from "../model/records.js";
import type { Store } from "../store/store.js";
import type { Outage } from "./outage.js";
import { createRevalidatingCache, type RevalidatingCache } from "./revalidating-cache.js";
import { MAX_AGE_MS } from "./routing-cache.js";

/** Number of hosts that are cached. */
const MAX_HOSTS = 10_000;

/** Addresses that also mean the base domain, when that is `localhost`. */
const LOOPBACK_LITERALS: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]"]);

/** An org, as found by its host. */
export interface Tenant {
  readonly org: Org;
  /** The beginning of every absolute URL of the org (rule S2). It comes from the org's record, not from the request. */
  readonly baseUrl: string;
}

export interface TenantsOptions {
  /** The parent domain of the orgs' subdomains. */
  baseDomain: string;
  /** The subdomain of the default org, which is the one on the base domain itself. */
  defaultOrg: string;
  /** The port in emitted URLs; `undefined` or 443 for none. It is known once the server listens. */
  publicPort: () => number | undefined;
  /** The largest size of the cache, in bytes. */
  maxBytes: number;
  outage?: Outage | undefined;
}

/** The tenants by host name, see {@link hostName}. */
export type Tenants = RevalidatingCache<string, Tenant>;

/**
 * Find the org of a host: by subdomain of the base domain, by custom domain, or the default org for the base domain.
 */
export function createTenants(
  store: Pick<Store, "findOrgByDomain" | "findOrgBySubdomain" | "hears">,
  { baseDomain, defaultOrg, publicPort, maxBytes, outage }: Readonly<TenantsOptions>,
): Tenants {
  const suffix = `.${baseDomain}`;

  return createRevalidatingCache({
    maxEntries: MAX_HOSTS,
    maxBytes,
    maxAge: MAX_AGE_MS,
    hears: () => store.hears(),
    outage,
    orgOf: (_, tenant) => tenant?.org.id,
    sizeOf: (host, tenant) => 2 * host.length + (tenant ? 2 * JSON.stringify(tenant).length : 0),
    async load(host) {
      const org = await findOrg(host);
      return org && { org, baseUrl: formatBaseUrl(org, { baseDomain, defaultOrg }, publicPort()) };
    },
  });

  async function findOrg(host: string): Promise<Org | undefined> {
    if (host === baseDomain || (baseDomain === "localhost" && LOOPBACK_LITERALS.has(host))) {
      return store.findOrgBySubdomain(defaultOrg);
    }
    const label = host.endsWith(suffix) ? host.slice(0, -suffix.length) : "";
    return label === "" || label.includes(".") ? store.findOrgByDomain(host) : store.findOrgBySubdomain(label);
  }
}

/** Whether there is such an org, and it is neither suspended nor being removed. */
export function isServed(tenant: Tenant | undefined): tenant is Tenant {
  return tenant?.org.status === "ACTIVE";
}

/** The name in a `Host` field in the form that identifies orgs: without port and final dot, in lower case. */
export function hostName(field: string): string {
  return field
    .replace(/:[0-9]*$/, "")
    .replace(/\.$/, "")
    .toLowerCase();
}

/**
 * `https://` and the base domain for the default org, because every client can resolve it; for any other org its first
 * custom domain or else its subdomain.
 */
export function formatBaseUrl(
  { domains, subdomain }: Pick<Org, "domains" | "subdomain">,
  { baseDomain, defaultOrg }: Pick<TenantsOptions, "baseDomain" | "defaultOrg">,
  port: number | undefined,
): string {
  const host = subdomain === defaultOrg ? baseDomain : (domains[0] ?? `${subdomain}.${baseDomain}`);
  return `https://${host}${port === undefined || port === 443 ? "" : `:${port}`}`;
}
