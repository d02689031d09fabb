import type { ErrorRequestHandler } from "express";
import { hashApiToken } from "etiquette/api-token-verifier";
import { authenticate } from "etiquette/authenticate";
import { compileNamespace } from "etiquette/namespace";
import type { Store } from "../store/store.js";
import { hostName, type Tenants } from "../tenancy/tenants.js";
import type { ApiSettings } from "../model/api-settings.js";

/**
 * Refuse the API tokens of an org that is suspended with 401: their owners learn that they must ask the operator. For
 * everyone else its hosts are unknown, so nobody can find out who was suspended.
 */
export function suspendedTokens(
  tenants: Tenants,
  store: Pick<Store, "findApiToken">,
  { namespace, apiTokenScheme }: Pick<ApiSettings, "namespace" | "apiTokenScheme">,
): ErrorRequestHandler {
  const refuse = authenticate({
    schemes: { [apiTokenScheme]: () => undefined },
    realm: compileNamespace("api", namespace).name,
  });

  return async function suspendedTokensMiddleware(error: unknown, req, res, next) {
    const [, scheme = "", token = ""] = /^(\S+) +(\S+)$/.exec(req.headers.authorization ?? "") ?? [];
    const isUnknownHost = (error as { type?: unknown } | null)?.type === "host.unknown";
    if (!isUnknownHost || scheme.toLowerCase() !== apiTokenScheme.toLowerCase()) {
      next(error);
      return;
    }
    const tenant = await tenants.get(hostName(req.headers.host ?? ""));
    const isStopped = tenant !== undefined && tenant.org.status !== "ACTIVE";
    const isOwn = isStopped && (await store.findApiToken(tenant.org.id, hashApiToken(token)));
    if (isOwn) refuse(req, res, next);
    else next(error);
  };
}
