import { useScope } from "../../session/use-session.js";

/** Whether the token may read what was. */
export function useMayRead(): boolean {
  const scopes = [
    useScope("policies.read"),
    useScope("idps.read"),
    useScope("zones.read"),
    useScope("trustedOrigins.read"),
  ];
  return scopes.every(Boolean);
}
