import type { EndedRequest } from "../audit/request-facts.js";
import { operationOf } from "./operations.js";
import type { Registration } from "./registration.js";

/** In seconds: from a response out of a cache to one that waited for the database. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/**
 * Counts the requests of these orgs, each by its subdomain. There are only so many operations and statuses, and the settings
 * bound the orgs, so the series have a limit.
 */
export function createOrgMetrics(
  { client, registers }: Registration,
  orgs: readonly string[],
): (end: EndedRequest) => void {
  const requests = new client.Counter({
    name: "etiquette_org_requests_total",
    help: "Requests to the orgs of --metrics-orgs, by operation and status",
    labelNames: ["org", "operation", "status"],
    registers,
  });
  const durations = new client.Histogram({
    name: "etiquette_org_webfinger_duration_seconds",
    help: "Time from the head of a WebFinger request to the end of its response, for the orgs of --metrics-orgs",
    labelNames: ["org"],
    buckets: BUCKETS,
    registers,
  });
  const counted = new Set(orgs);

  return (end) => {
    const { isServed, status, duration = 0, facts } = end;
    const org = facts.tenant?.org.subdomain;
    if (!isServed || org === undefined || !counted.has(org)) return;
    const operation = operationOf(end);
    requests.inc({ org, operation, status: status ?? "none" });
    if (operation === "webfinger") durations.observe({ org }, duration / 1_000);
  };
}
