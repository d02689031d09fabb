import { compileNamespace } from "etiquette/namespace";

/** What tokens are good for. */
const RESOURCES = ["users", "logs", "idps", "policies", "trustedOrigins", "zones", "apiTokens"];

/** Every scope of a token, as it is stored: without the namespace. */
export const SCOPES: readonly string[] = RESOURCES.flatMap((resource) => [`${resource}.read`, `${resource}.manage`]);

/** All that an administrator may do. */
export const ALL_SCOPES: readonly string[] = RESOURCES.map((resource) => `${resource}.manage`);

/** What comes before a scope on the wire: `svc.`. */
export function scopePrefix(namespace: string): string {
  return `${compileNamespace("settings", namespace).name}.`;
}

/** What whoever has `scope` has with it: who may manage a resource may read it. With the namespace or without. */
export function impliedScope(scope: string): string | undefined {
  return scope.endsWith(".manage") ? scope.replace(/manage$/, "read") : undefined;
}
