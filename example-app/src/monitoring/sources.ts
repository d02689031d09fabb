import type { Counter } from "prom-client";
import type { QueueStats } from "../audit/event-queue.js";
import type { RefreshCounts } from "../metadata/refresher.js";
import { DATABASE_ERROR_KINDS } from "../store/contract/error-counts.js";
import type { StoreStats } from "../store/contract/engine.js";
import type { CertificateCounts } from "../store/records/certificates.js";
import type { CacheStats } from "../tenancy/revalidating-cache.js";
import type { Registration } from "./registration.js";

/** What counts for itself anyway, and is read at a scrape. */
export interface Sources {
  readonly database: () => StoreStats;
  readonly events: () => QueueStats;
  readonly caches: Readonly<Record<string, () => CacheStats>>;
  /** Requests that overload has refused so far. */
  readonly overloadRefusals: () => number;
  /** Open connections of clients. */
  readonly connections: () => number;
  readonly metadata: () => RefreshCounts;
  readonly certificates: () => CertificateCounts;
}

/** Takes over what a source says now. */
export type Reading = () => void;

/** Make metrics of the sources. Call the result before each scrape. */
export function readSources(
  { database, events, caches, overloadRefusals, connections, metadata, certificates }: Sources,
  refusals: Counter<"reason">,
  registration: Registration,
): Reading {
  const { client, registers } = registration;
  const open = new client.Gauge({ name: "etiquette_connections", help: "Open connections of clients", registers });
  const readings = [
    () => {
      open.set(connections());
    },
    follow(refusals, { reason: "overload" }, overloadRefusals),
    follow(refusals, { reason: "database_queue" }, () => database().refused),
    readDatabase(database, registration),
    readReplica(database, registration),
    readEvents(events, registration),
    readCaches(caches, registration),
    readMetadata(metadata, registration),
    readCertificates(certificates, registration),
  ];
  return () => {
    for (const read of readings) read();
  };
}

function readDatabase(database: Sources["database"], { client, registers }: Registration): Reading {
  const connections = new client.Gauge({
    name: "etiquette_database_connections",
    help: "Connections to the database, by purpose and state: used or idle",
    labelNames: ["pool", "state"],
    registers,
  });
  const waiting = new client.Gauge({
    name: "etiquette_database_waiting",
    help: "Callers that wait for a connection to the database, by its purpose",
    labelNames: ["pool"],
    registers,
  });
  const errors = new client.Counter({
    name: "etiquette_database_errors_total",
    help: "Errors of the database, by kind",
    labelNames: ["kind"],
    registers,
  });
  const readErrors = DATABASE_ERROR_KINDS.map((kind) => follow(errors, { kind }, () => database().errors[kind]));
  return () => {
    for (const { pool, used, idle, waiting: callers } of database().pools) {
      connections.set({ pool, state: "used" }, used);
      connections.set({ pool, state: "idle" }, idle);
      waiting.set({ pool }, callers);
    }
    for (const read of readErrors) read();
  };
}

function readReplica(database: Sources["database"], { client, registers }: Registration): Reading {
  const used = new client.Gauge({
    name: "etiquette_replica_used",
    help: "Whether the replica gets reads, 1 or 0",
    registers,
  });
  const lag = new client.Gauge({
    name: "etiquette_replica_lag_seconds",
    help: "How far the replica is behind the primary",
    registers,
  });
  const reads = new client.Counter({
    name: "etiquette_replica_reads_total",
    help: "Reads that the replica may serve, by who served them: replica or primary",
    labelNames: ["place"],
    registers,
  });
  for (const gauge of [used, lag]) gauge.remove(); // without a replica there is no value
  const count = (place: "replica" | "primary") => follow(reads, { place }, () => database().replica?.reads[place] ?? 0);
  const readings = [count("replica"), count("primary")];
  return () => {
    const { replica } = database();
    if (!replica) return;
    used.set(replica.isUsed ? 1 : 0);
    lag.set(replica.lag);
    for (const read of readings) read();
  };
}

function readEvents(events: Sources["events"], { client, registers }: Registration): Reading {
  const waiting = new client.Gauge({
    name: "etiquette_events_waiting",
    help: "Events of requests that wait to be written to the System Log",
    registers,
  });
  const bytes = new client.Gauge({
    name: "etiquette_events_waiting_bytes",
    help: "Memory of the events that wait or are being written",
    registers,
  });
  const spooled = new client.Gauge({
    name: "etiquette_events_spooled_bytes",
    help: "Events that wait on disk for the database",
    registers,
  });
  const dropped = new client.Counter({
    name: "etiquette_events_dropped_total",
    help: "Events that were dropped because too many waited for the database",
    registers,
  });
  const readDropped = follow(dropped, {}, () => events().dropped);
  return () => {
    const stats = events();
    waiting.set(stats.waiting);
    bytes.set(stats.bytes);
    spooled.set(stats.spooled);
    readDropped();
  };
}

function readCaches(caches: Sources["caches"], { client, registers }: Registration): Reading {
  const lookups = new client.Counter({
    name: "etiquette_cache_lookups_total",
    help: "Look-ups in a cache, by result: hit, miss when the database was asked, stale when it did not answer",
    labelNames: ["cache", "result"],
    registers,
  });
  const entries = new client.Gauge({
    name: "etiquette_cache_entries",
    help: "Values in a cache",
    labelNames: ["cache"],
    registers,
  });
  const bytes = new client.Gauge({
    name: "etiquette_cache_bytes",
    help: "Memory of the values in a cache, estimated",
    labelNames: ["cache"],
    registers,
  });
  const readings = Object.entries(caches).flatMap(([cache, stats]) => [
    follow(lookups, { cache, result: "hit" }, () => stats().hits),
    follow(lookups, { cache, result: "miss" }, () => stats().misses),
    follow(lookups, { cache, result: "stale" }, () => stats().stale),
    () => {
      entries.set({ cache }, stats().entries);
      bytes.set({ cache }, stats().bytes);
    },
  ]);
  return () => {
    for (const read of readings) read();
  };
}

function readMetadata(metadata: Sources["metadata"], { client, registers }: Registration): Reading {
  const refreshes = new client.Counter({
    name: "etiquette_metadata_refreshes_total",
    help: "Attempts to refresh the metadata of an identity provider, by outcome: changed, unchanged or failed",
    labelNames: ["outcome"],
    registers,
  });
  const outcomes = ["changed", "unchanged", "failed"] as const;
  const readings = outcomes.map((outcome) => follow(refreshes, { outcome }, () => metadata()[outcome]));
  return () => {
    for (const read of readings) read();
  };
}

function readCertificates(certificates: Sources["certificates"], { client, registers }: Registration): Reading {
  const expiring = new client.Gauge({
    name: "etiquette_certificates_expiring",
    help: "Certificates of active identity providers that expire within 30 days, or have expired, by state: soon or expired",
    labelNames: ["state"],
    registers,
  });
  return () => {
    const { soon, expired } = certificates();
    expiring.set({ state: "soon" }, soon);
    expiring.set({ state: "expired" }, expired);
  };
}

/** Let a counter follow a number that something else counts. */
function follow<T extends string>(
  counter: Counter<T>,
  labels: Partial<Record<T, string>>,
  count: () => number,
): Reading {
  let seen = 0;
  return () => {
    const now = count();
    counter.inc(labels, now - seen);
    seen = now;
  };
}
