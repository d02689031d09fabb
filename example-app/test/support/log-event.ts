import type { LogEvent } from "../../console/src/api/types.js";

/** A record as events name it. */
export const logEntity = (type: string, displayName: string) => ({
  id: `id-${displayName}`,
  type,
  alternateId: displayName,
  displayName,
  detailEntry: null,
});

/** The event of a rule that was switched off. */
export const LOG_EVENT: LogEvent = {
  uuid: "1",
  published: "2026-01-05T09:00:00.000Z",
  version: "0",
  eventType: "policy.rule.deactivate",
  displayMessage: "Deactivate PolicyRule",
  severity: "INFO",
  actor: logEntity("ApiToken", "CI"),
  client: {
    userAgent: { rawUserAgent: "", os: "Unknown", browser: "Unknown" },
    zone: null,
    device: "Unknown",
    id: null,
    ipAddress: "192.0.2.7",
    geographicalContext: null,
  },
  outcome: { result: "SUCCESS", reason: null },
  target: [logEntity("PolicyRule", "Partners"), logEntity("Policy", "Policy")],
  transaction: { type: "WEB", id: "r1", detail: {} },
  debugContext: { debugData: { requestId: "r1", requestUri: "/api/v1", url: "/api/v1" } },
  authenticationContext: {},
  securityContext: {},
  request: { ipChain: [] },
};
