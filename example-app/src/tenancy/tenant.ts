import type { RequestHandler } from "express";
import { createRequestSlot } from "etiquette/request-slot";
import { apiError, type ApiError } from "../model/api-error.js";
import { chain } from "./chain.js";
import type { OrgTrust, TrustCache } from "./trust-cache.js";
import { hostName, isServed, type Tenant, type Tenants } from "./tenants.js";

const slot = createRequestSlot<RequestTenant>("tenant");

/** The org of a request, and what it trusts. */
export interface RequestTenant extends Tenant {
  readonly trust: OrgTrust;
}

/** Find the org of a request by its `Host`; 404 `E0000007` for an unknown host, and for that of an org that is not served. */
export function tenant(tenants: Tenants, trusts: TrustCache): RequestHandler {
  return function tenantMiddleware(req, _res, next) {
    const host = hostName(req.headers.host ?? "");
    const found = find(host);
    if (found instanceof Promise) found.then(proceed, next);
    else proceed(found); // cached, the usual case

    function proceed(tenant: RequestTenant | undefined): void {
      if (!tenant) {
        next(unknownHost(host));
        return;
      }
      slot.set(req, tenant);
      next();
    }
  };

  function find(host: string): RequestTenant | undefined | Promise<RequestTenant | undefined> {
    return chain(tenants.get(host), (found) => {
      if (!isServed(found)) return undefined;
      return chain(trusts.get(found.org.id), (trust) => trust && { ...found, trust });
    });
  }
}

/**
 * The tenant found for `req` by {@link tenant}.
 *
 * @throws {Error} when `tenant()` did not run for this request
 */
export function getTenant(req: object): RequestTenant {
  return slot.get(req);
}

/** The identifier of the API of an org as a protected resource (RFC 9728). */
export function resourceOf(req: object): string {
  return `${getTenant(req).baseUrl}/api`;
}

/** The tenant found for `req`, or `undefined` when its host is unknown. */
export function tryGetTenant(req: object): RequestTenant | undefined {
  return slot.tryGet(req);
}

/** The error for a host without an org. */
export function unknownHost(host: string): ApiError {
  return apiError("E0000007", { type: "host.unknown", detail: `Resource not found: ${host} (Org)` });
}
