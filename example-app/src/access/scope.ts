import type { Request } from "express";
import { getPrincipal } from "etiquette/authenticate";
import { apiError } from "../model/api-error.js";
import { scopePrefix } from "../model/scopes.js";
import type { ApiSettings } from "../model/api-settings.js";

/**
 * A check of the caller's scopes for operations that need another scope for some requests only.
 *
 * @param scope without the namespace: `users.read`
 */
export function createScopeCheck({ namespace }: Pick<ApiSettings, "namespace">, scope: string) {
  const prefix = scopePrefix(namespace);
  const needed = prefix + scope;
  const challenge = ` realm="${prefix.slice(0, -1)}", error="insufficient_scope", scope="${needed}"`; // RFC 6750 section 3.1

  /**
   * @param what begins the cause, "… needs the scope"
   * @throws {ApiError} E0000006 when the caller lacks the scope
   */
  return function assertScope(req: Request, what: string): void {
    if (getPrincipal(req).scopes.includes(needed)) return;
    const causes = [`${what} needs the scope ${needed}, which the credentials lack.`];
    const scheme = /^dpop /i.test(req.headers.authorization ?? "") ? "DPoP" : "Bearer";
    const headers = { "WWW-Authenticate": scheme + challenge };
    throw apiError("E0000006", { type: "scope.insufficient", causes, headers });
  };
}
