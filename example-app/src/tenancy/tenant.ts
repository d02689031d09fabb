import type { RequestHandler } from "express";
import { createRequestSlot } from "etiquette/request-slot";
import { apiError } from "../model/api-error.js";
import type { CompiledOrg, RoutingCache } from "./routing-cache.js";
import { hostName, type Tenant, type Tenants } from "./tenants.js";

const slot = createRequestSlot<RequestTenant>("tenant");

/** The org of a request, with its compiled routing. */
export interface RequestTenant extends Tenant {
  readonly routing: CompiledOrg;
}

/** Find the org of a request by its `Host`; 404 `E0000007` for an unknown host. */
export function tenant(tenants: Tenants, routings: RoutingCache): RequestHandler {
  return function tenantMiddleware(req, _res, next) {
    const host = hostName(req.headers.host ?? "");
    const found = find(host);
    if (found instanceof Promise) found.then(proceed, next);
    else proceed(found); // cached, the usual case

    function proceed(tenant: RequestTenant | undefined): void {
      if (!tenant) {
        next(apiError("E0000007", { type: "host.unknown", detail: `Resource not found: ${host} (Org)` }));
        return;
      }
      slot.set(req, tenant);
      next();
    }
  };

  function find(host: string): RequestTenant | undefined | Promise<RequestTenant | undefined> {
    return chain(
      tenants.get(host),
      (found) => found && chain(routings.get(found.org.id), (routing) => routing && { ...found, routing }),
    );
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

/** Pass a value on: at once when it is cached. */
function chain<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
