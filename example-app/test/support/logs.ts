import { setTimeout as sleep } from "node:timers/promises";
import type { LogEvent } from "../../src/model/records.js";
import type { NewLogEvent } from "../../src/store/log/stored-facts.js";
import type { Store } from "../../src/store/store.js";
import type { ApiClient } from "./api.js";
import { patient } from "../../../test/support/patience.js";

/** An event as a request makes it; a test changes what it is about. */
export function buildEvent(overrides: Partial<NewLogEvent> = {}, requestId = "request-1"): NewLogEvent {
  return {
    eventType: "user.lifecycle.create",
    version: "0",
    severity: "INFO",
    displayMessage: "Create User",
    actor: { id: "token-1", type: "ApiToken", alternateId: "token-1", displayName: "Setup", detailEntry: null },
    client: {
      userAgent: { rawUserAgent: "curl/8.0", os: "Unknown", browser: "Unknown" },
      zone: null,
      device: "Unknown",
      id: null,
      ipAddress: "192.0.2.1",
      geographicalContext: null,
    },
    outcome: { result: "SUCCESS", reason: null },
    target: [{ id: "user-1", type: "User", alternateId: "joe@example.com", displayName: "Joe Doe", detailEntry: null }],
    transaction: { type: "WEB", id: requestId, detail: {} },
    debugContext: { debugData: { requestId, requestUri: "/api/v1/users", url: "/api/v1/users?activate=true" } },
    authenticationContext: {},
    securityContext: {},
    request: { ipChain: [{ ip: "192.0.2.1", geographicalContext: null, version: "V4", source: "socket" }] },
    ...overrides,
  };
}

export const formatQuery = (parameters: Record<string, string | number>): string =>
  `/logs?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")}`;

/** The events with this request id, when there is one; waits for it. */
export async function findEvents({ api }: ApiClient, requestId: string): Promise<LogEvent[]> {
  const filter = `debugContext.debugData.requestId eq "${requestId}"`;
  const deadline = performance.now() + patient(10_000);
  for (;;) {
    const { status, body, text } = await api(formatQuery({ filter }));
    if (status !== 200) throw new Error(text);
    if (body.length > 0 || performance.now() > deadline) return body;
    await sleep(50);
  }
}

/** Empties the log of an org, or of all, so that a test can write events of the past into it. */
export async function emptyLog(store: Store, orgId?: string): Promise<void> {
  await store.write(async ({ db }) => {
    for (const table of ["log_events", "log_heads"] as const) {
      const rows = db.deleteFrom(table);
      await (orgId === undefined ? rows : rows.where("org_id", "=", orgId)).execute();
    }
  });
}
