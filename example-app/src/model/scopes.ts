import { compileNamespace } from "etiquette/namespace";

/** Resources with scopes. */
const RESOURCES = ["users", "logs", "idps", "policies", "trustedOrigins", "zones", "apiTokens"];

/** Every scope of a token, as it is stored: without the namespace. */
export const SCOPES: readonly string[] = RESOURCES.flatMap((resource) => [`${resource}.read`, `${resource}.manage`]);

/** All scopes of an administrator; each `manage` includes `read`. */
export const ALL_SCOPES: readonly string[] = RESOURCES.map((resource) => `${resource}.manage`);

/** The prefix of a scope on the wire: `svc.`. */
export function scopePrefix(namespace: string): string {
  return `${compileNamespace("settings", namespace).name}.`;
}

/** The scope that `scope` includes: `manage` includes `read`. Works with and without the namespace. */
export function impliedScope(scope: string): string | undefined {
  return scope.endsWith(".manage") ? scope.replace(/manage$/, "read") : undefined;
}
