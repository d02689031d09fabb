import type { Registry } from "prom-client";
import type { EndedRequest } from "../audit/request-facts.js";
import { createDecisionMetrics, type DecisionMetricsOptions } from "./decision-metrics.js";
import { createTurnMetrics, type CountLongTurn } from "./long-turns.js";
import { createOrgMetrics } from "./org-metrics.js";
import { isReady, type Readiness } from "./readiness.js";
import { loadPromClient } from "./registration.js";
import { createRequestMetrics } from "./request-metrics.js";
import { readSources, type Reading, type Sources } from "./sources.js";

/** Metrics as prom-client passes them between processes. */
export type MetricValues = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The metrics of one process. */
export interface Metrics {
  /** Count a request when it has ended. */
  readonly countRequest: (end: EndedRequest) => void;
  /** Count a long turn of the event loop. */
  readonly countLongTurn: CountLongTurn;
  /** Count a connection that was refused. */
  readonly countDrop: () => void;
  /** Read these at each scrape. */
  readonly watch: (sources: Sources) => void;
  /** In the text format of Prometheus. */
  readonly format: () => Promise<string>;
  /** For another process. */
  readonly values: () => Promise<MetricValues>;
}

/** The media type of the text format. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export interface MetricsOptions {
  readiness: Pick<Readiness, "findObstacle">;
  /** Its subdomain. */
  defaultOrg: string;
  decisions: DecisionMetricsOptions;
}

/** Metrics of this process, of its requests, and of what is watched later. */
export function createMetrics({ readiness, defaultOrg, decisions }: Readonly<MetricsOptions>): Metrics {
  const client = loadPromClient();
  const registry = new client.Registry();
  const registration = { client, registers: [registry] satisfies [Registry] };
  client.collectDefaultMetrics({ register: registry });
  const { count, refusals } = createRequestMetrics(registration, defaultOrg);
  const countDecision = createDecisionMetrics(registration, decisions);
  const countOfOrg = createOrgMetrics(registration, decisions.orgs);
  const countLongTurn = createTurnMetrics(registration);
  const ready = new client.Gauge({
    name: "etiquette_ready",
    help: "Whether the process should get requests, 1 or 0",
    registers: [registry],
  });
  let read: Reading | undefined;

  async function refresh(): Promise<void> {
    ready.set(isReady(await readiness.findObstacle()) ? 1 : 0);
    read?.();
  }

  return {
    countRequest(end) {
      count(end);
      countDecision(end);
      countOfOrg(end);
    },
    countLongTurn,
    countDrop() {
      refusals.inc({ reason: "connections" });
    },
    watch(sources) {
      read = readSources(sources, refusals, registration);
    },
    async format() {
      await refresh();
      return registry.metrics();
    },
    async values() {
      await refresh();
      return registry.getMetricsAsJSON();
    },
  };
}

/**
 * The metrics of several processes in the text format, each with the label `worker`. They are not summed up: when a process
 * ends, a sum would fall, and Prometheus takes that for a counter that begins anew and has already come so far.
 */
export function formatWorkers(workers: ReadonlyMap<number, MetricValues>): Promise<string> {
  const labelled = Array.from(workers, ([worker, metrics]) =>
    metrics.map((metric) => ({
      ...metric,
      aggregator: "sum", // of one: no two have the same labels
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
    })),
  );
  return loadPromClient().AggregatorRegistry.aggregate(labelled).metrics();
}
