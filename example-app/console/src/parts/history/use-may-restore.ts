import { useScope } from "../../session/use-session.js";

/** Whether the token may bring back what was. */
export function useMayRestore(): boolean {
  const scopes = [
    useScope("policies.manage"),
    useScope("idps.manage"),
    useScope("zones.manage"),
    useScope("trustedOrigins.manage"),
  ];
  return scopes.every(Boolean);
}
