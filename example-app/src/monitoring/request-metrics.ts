import type { Counter } from "prom-client";
import type { EndedRequest } from "../audit/request-facts.js";
import { operationOf } from "./operations.js";
import type { Registration } from "./registration.js";

/** In seconds: from a response out of a cache to a search that ends at its time limit. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Why the server refused something before it did any work for it. */
const REFUSALS = [
  "rate_limit",
  "overload",
  "connections",
  "pipelining",
  "timeout",
  "protocol",
  "database_queue",
] as const;
type Refusal = (typeof REFUSALS)[number];

/** The codes of refusals below the app that have a reason of their own. */
const REASONS: Readonly<Record<string, Refusal>> = { E0000047: "pipelining", E0009001: "timeout" };

const TOO_MANY_REQUESTS = 429;

export interface RequestMetrics {
  /** Count a request when it has ended. */
  readonly count: (end: EndedRequest) => void;
  readonly refusals: Counter<"reason">;
}

/** The metrics of requests. Their labels name no user and no org, and their values are those of the code. */
export function createRequestMetrics({ client, registers }: Registration, defaultOrg: string): RequestMetrics {
  const requests = new client.Counter({
    name: "etiquette_requests_total",
    help: "Requests that reached the app, by operation, status and kind of org: default, other, or unknown",
    labelNames: ["operation", "status", "org"],
    registers,
  });
  const durations = new client.Histogram({
    name: "etiquette_request_duration_seconds",
    help: "Time from the head of a request to the end of its response",
    labelNames: ["operation"],
    buckets: BUCKETS,
    registers,
  });
  const refusals = new client.Counter({
    name: "etiquette_refusals_total",
    help: "Requests and connections that were refused, by reason",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of REFUSALS) refusals.inc({ reason }, 0); // an alert on the first one needs the zero before it

  return {
    refusals,
    count(end) {
      const { isServed, status, duration = 0, errorCode = "", facts } = end;
      if (!isServed) {
        refusals.inc({ reason: REASONS[errorCode] ?? "protocol" });
        return;
      }
      const operation = operationOf(end);
      requests.inc({ operation, status: status ?? "none", org: classOf(facts.tenant?.org.subdomain, defaultOrg) });
      durations.observe({ operation }, duration / 1_000);
      if (status === TOO_MANY_REQUESTS) refusals.inc({ reason: "rate_limit" });
    },
  };
}

function classOf(subdomain: string | undefined, defaultOrg: string): "default" | "other" | "unknown" {
  if (subdomain === undefined) return "unknown";
  return subdomain === defaultOrg ? "default" : "other";
}
