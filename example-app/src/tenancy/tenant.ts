import type { RequestHandler } from "express";
import { createRequestSlot } from "etiquette/request-slot";
import { apiError, type ApiError } from "../model/api-error.js";
import type { CompiledOrg, RoutingCache } from "./routing-cache.js";
import { hostName, type Tenant, type Tenants } from "./tenants.js";

const slot = createRequestSlot<RequestTenant>("tenant");

/** The org of a request, with its compiled routing. */
export interface RequestTenant extends Tenant {
  readonly routing: CompiledOrg;
}

export interface TenantOptions {
  tenants: Tenants;
  routings: RoutingCache;
}

/** Find the org of a request by its `Host`; 404 `E0000007` for an unknown host. */
export function tenant({ tenants, routings }: Readonly<TenantOptions>): RequestHandler {
  return function tenantMiddleware(req, _res, next) {
    const host = hostName(req.headers.host ?? "");
    const found = find(host);
    if (found instanceof Promise) found.then(proceed, next);
    else proceed(found); // cached, the usual case

    function proceed(tenant: RequestTenant | undefined): void {
      if (tenant) slot.set(req, tenant);
      next(tenant ? undefined : hostError(host));
    }
  };

  function find(host: string): RequestTenant | undefined | Promise<RequestTenant | undefined> {
    const found = tenants.get(host);
    return found instanceof Promise ? found.then(addRouting) : addRouting(found);
  }

  function addRouting(found: Tenant | undefined): RequestTenant | undefined | Promise<RequestTenant | undefined> {
    if (!found) return undefined;
    const unite = (routing: CompiledOrg | undefined) => routing && { ...found, routing };
    const routing = routings.get(found.org.id);
    return routing instanceof Promise ? routing.then(unite) : unite(routing);
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

/** The tenant found for `req`, or `undefined` when its host is unknown. */
export function tryGetTenant(req: object): RequestTenant | undefined {
  return slot.tryGet(req);
}

function hostError(host: string): ApiError {
  return apiError("E0000007", { type: "host.unknown", detail: `Resource not found: ${host} (Org)` });
}
