import type { Server } from "node:http";
import { join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { IpRangeSet } from "etiquette/ip-ranges";
import { compileNamespace } from "etiquette/namespace";
import { compileTrustedProxies } from "etiquette/trusted-proxies";
import type { Logger } from "pino";
import { createAppServer, replaceCertificate, type AppServerSettings, type Certificate } from "./app-server.js";
import { createApp, type AppSettings } from "./app.js";
import { createDecisionCounts } from "./audit/decision-counts.js";
import { createEventQueue, type EventQueue, type EventQueueOptions } from "./audit/event-queue.js";
import type { LogOwner } from "./audit/request-events.js";
import { openSpool } from "./audit/spool/open-spool.js";
import type { RequestSinks } from "./audit/request-observer.js";
import { reportDroppedConnections, trackConnections, type Connections } from "./connections.js";
import { listen } from "./listen.js";
import { createRefresher, type MetadataRefresher } from "./metadata/refresher.js";
import { watchCertificates, type CertificateWatch } from "./metadata/watch-certificates.js";
import { scheduleMetadata, type ScheduleOptions } from "./metadata/schedule.js";
import type { RateLimitSettings } from "./model/rate-limits.js";
import type { Metrics } from "./monitoring/metrics.js";
import { createReadiness, type Readiness } from "./monitoring/readiness.js";
import { NO_WATCH, resumeAfter, type TurnWatch } from "./pace/turn-watch.js";
import { measureLag, type LagSource } from "./admission/event-loop-lag.js";
import { createOverload, type Overload, type OverloadLimits } from "./admission/overload.js";
import { createRateCounters } from "./admission/rate-counters.js";
import { createRateLimiter, type RateLimiter } from "./admission/rate-limits.js";
import { createProofRules } from "./access/proofs.js";
import { createTokenUses } from "./access/token-uses.js";
import { recordSessionUse } from "./store/records/console.js";
import { expireHistory } from "./store/history/forgetting.js";
import { fillWords } from "./store/records/fill-words.js";
import { startLogRetention } from "./store/log/retention.js";
import type { Store } from "./store/store.js";
import { keepSnapshot } from "./snapshot/keep-snapshot.js";
import { createSnapshotSealer, SNAPSHOT_FILE } from "./snapshot/snapshot-file.js";
import { createOrgCaches, type OrgCaches, type OrgCachesOptions } from "./tenancy/org-caches.js";
import { isServed, type Tenant, type Tenants, type TenantsOptions } from "./tenancy/tenants.js";
import { seedDemo, type FirstAccess } from "./transfer/seed.js";

/** A shutdown cuts off responses that take longer than this. */
const SHUTDOWN_MS = 10_000;

/** The metadata of providers that is fetched on request only. */
const DAY_MS = 86_400_000;

/** The settings of the server. */
export interface ServerSettings extends AppSettings, AppServerSettings {
  readonly port: number;
  readonly host: string;
  /** The subdomain of the org that is served on the base domain. */
  readonly defaultOrg: string;
  /** The port in emitted URLs, when it differs from the one that the server listens on. */
  readonly publicPort: number | undefined;
  /** Whether an empty store gets the demonstration org. */
  readonly demo: boolean;
  /** Days that events stay in the System Log. */
  readonly logRetentionDays: number;
  /** Days that revisions stay in the history of an org. */
  readonly historyRetentionDays: number;
  /** Failed requests without credentials, per second and org, that have an event each. */
  readonly logNoiseRate: number;
  /** Characters of events on one day after which the log of an org takes no events of requests. */
  readonly logDayLimit: number;
  /** For what the server keeps on disk beside the database. Absolute path. */
  readonly dataFolder: string;
  /** Bytes of events on disk, of each process, while the database doesn't answer; 0 for none. */
  readonly spoolBytes: number;
  /** How many bytes, approximately, the caches about orgs may take together. */
  readonly cacheBytes: number;
  /** Milliseconds for which discovery goes on with what is known while the database doesn't answer; 0 for never. */
  readonly staleLimit: number;
  /** Milliseconds until the metadata of an identity provider is fetched again; `false` for never. */
  readonly metadataInterval: number | false;
  /** Networks from which it may be fetched though they are not public. */
  readonly metadataNetworks: readonly string[];
  /** `null` when requests are not limited. */
  readonly rateLimits: RateLimitSettings | null;
  readonly overloadLimits: OverloadLimits;
  /** Milliseconds that a closing server still accepts connections, so that load balancers see first that it is not ready. */
  readonly drainDelay: number;
}

export interface ServerOptions {
  settings: ServerSettings;
  store: Store;
  /** PEM; `undefined` for plain HTTP, behind a proxy that terminates TLS. */
  certificate: Certificate | undefined;
  log: Logger;
  /** @default a readiness that only the probes of the server ask */
  readiness?: Readiness;
  /** @default no metrics */
  metrics?: Metrics | undefined;
  /**
   * Tells how late the event loop is.
   *
   * @default measureLag
   */
  lagSource?: LagSource;
  /**
   * Measures turns of the event loop; the store has it too.
   *
   * @default NO_WATCH
   */
  watch?: TurnWatch;
}

export interface RunningServer {
  /** The port that the server listens on. */
  readonly port: number;
  /** The default org, if there is one. */
  readonly tenant: Tenant | undefined;
  /** When this start created the demonstration org. */
  readonly first: FirstAccess | undefined;
  /** Use another certificate for new connections. */
  readonly useCertificate: (certificate: Certificate) => void;
  /** Finish the requests in flight, refuse new ones, close the store. */
  readonly close: () => Promise<void>;
}

/**
 * Serve the content of the store; an empty store gets the demonstration org if the settings say so.
 *
 * @throws {StoreError | ListenError} when the environment prevents a start
 */
export async function startServer({
  settings,
  store,
  certificate,
  log,
  readiness = createReadiness(),
  metrics,
  lagSource = measureLag,
  watch = NO_WATCH,
}: Readonly<ServerOptions>): Promise<RunningServer> {
  const { baseDomain, rateLimits, overloadLimits: limits } = settings;
  const isProxy = compileTrustedProxies(settings.trustedProxies);
  let port: number | undefined; // kept, because events are also written after the server stops listening
  const publicPort = () => settings.publicPort ?? (certificate && port); // behind a proxy the own port doesn't count
  const caches = createCaches(settings, { store, publicPort, trustedProxies: isProxy, log, watch });
  const { tenants, outage } = caches;
  const findOwner = (host: string | undefined) => findLogOwner(tenants, host, baseDomain);
  const events = createEvents(settings, { store, findOwner, log });
  const limiter = rateLimits && createLimiter(rateLimits, store, isProxy);
  const uses = createTokenUses({ store, log });
  const sessionUses = createTokenUses({ store, log, record: recordSessionUse });
  const overload = createOverload({ ...queueOf(store, outage), limits, measureLag: share(lagSource, watch), log });
  const counts = createDecisionCounts({ store, log });
  const count: RequestSinks["count"] = (end) => {
    metrics?.countRequest(end);
    counts.add(end);
  };
  const sinks = { log, events, count };
  const metadata = createMetadata(settings, watch);
  const parts = { limiter, uses, sessionUses, readiness, sinks, refuseOverload: overload.middleware, watch, metadata };
  const app = createApp({ settings, store, ...caches, ...parts });
  const server = createAppServer(app, { settings, sinks, certificate });
  reportDroppedConnections(server, log);
  const connections = trackConnections(server);
  const certificates = watchCertificates({ store, log });
  if (metrics) measure(metrics, server, { store, events, caches, overload, connections, metadata, certificates });
  const jobs = await startJobs(settings, { store, refresher: metadata, log });
  const watcher = store.watchChanges(caches.expire);
  const close = async (delay = 0) => {
    readiness.drain();
    if (delay > 0) await sleep(delay);
    await connections.drain(SHUTDOWN_MS);
    overload.close();
    await Promise.all([events, counts, uses, sessionUses, certificates, jobs].map((part) => part.close()));
    await watcher.close();
    await store.close();
  };
  try {
    port = await listen(server, settings);
    // Only after listening: a failed start must not count as the first one, which is the only one to show the token.
    const first = settings.demo && store.snapshotAge() === undefined ? await seedDemo(store) : undefined;
    const tenant = await tenants.get(baseDomain);
    readiness.begin(() => store.ping().then(outage.end), outage.covers);
    const useCertificate = replaceCertificate.bind(undefined, server);
    return { port, tenant, first, useCertificate, close: () => close(settings.drainDelay) };
  } catch (error) {
    await close();
    throw error;
  }
}

function createEvents(
  settings: ServerSettings,
  parts: Pick<EventQueueOptions, "store" | "findOwner" | "log">,
): EventQueue {
  const { logNoiseRate: noiseRate, logDayLimit: dayLimit } = settings;
  const { value: orgType } = compileNamespace("server", settings.namespace);
  return createEventQueue({ ...parts, noiseRate, dayLimit, orgType, spool: openSpool(settings, parts.log) });
}

function createCaches(
  { baseDomain, defaultOrg, cacheBytes: maxBytes, staleLimit }: ServerSettings,
  {
    publicPort,
    ...parts
  }: Omit<OrgCachesOptions, "settings" | "staleLimit" | "proofsOf"> & Pick<TenantsOptions, "publicPort">,
): OrgCaches {
  const proofsOf = createProofRules(parts.store.sharedCounter);
  return createOrgCaches({
    settings: { baseDomain, defaultOrg, publicPort, maxBytes },
    staleLimit,
    proofsOf,
    ...parts,
  });
}

/** What the server does by itself. */
async function startJobs(
  settings: ServerSettings,
  options: ScheduleOptions & Pick<ServerOptions, "store">,
): Promise<{ close: () => Promise<unknown> }> {
  const { logRetentionDays: days, historyRetentionDays } = settings;
  const expireOthers = (isStopped: () => boolean) => expireHistory(options.store, historyRetentionDays, isStopped);
  const retention = await startLogRetention(options.store, { days, expireOthers, log: options.log });
  const schedule = settings.metadataInterval === false ? undefined : scheduleMetadata(options);
  const jobs = [retention, schedule, startSnapshots(settings, options), fillWords(options)];
  return { close: () => Promise.all(jobs.flatMap((job) => job?.close() ?? [])) };
}

/** SQLite has its data on this machine anyway. */
function startSnapshots(
  { dataFolder, staleLimit, secrets }: ServerSettings,
  { store, log }: Pick<ServerOptions, "store" | "log">,
) {
  if (!store.sharedCounter || staleLimit === 0) return undefined;
  const sealer = createSnapshotSealer(secrets.slice(0, 1));
  return keepSnapshot({ store, path: join(dataFolder, SNAPSHOT_FILE), sealer, log });
}

function queueOf(store: Store, { isOn: isBridged }: OrgCaches["outage"]) {
  return { waiting: () => store.waiting(), isBridged };
}

/** One timer for the overload and for the watch. */
function share(lagSource: LagSource, watch: TurnWatch): LagSource {
  return (listener) =>
    lagSource((lag) => {
      watch.noteLag(lag);
      listener(lag);
    });
}

interface MeasuredParts {
  store: Store;
  events: EventQueue;
  caches: OrgCaches;
  overload: Overload;
  connections: Connections;
  metadata: MetadataRefresher;
  certificates: CertificateWatch;
}

function measure(metrics: Metrics, server: Server, parts: Readonly<MeasuredParts>): void {
  const { store, events, caches, overload, connections, metadata, certificates } = parts;
  const { tenants, trusts, routings, signOns } = caches;
  server.on("drop", metrics.countDrop);
  metrics.watch({
    database: () => store.stats(),
    events: () => events.stats(),
    caches: {
      hosts: () => tenants.stats(),
      trust: () => trusts.stats(),
      rules: () => routings.stats(),
      sign_on: () => signOns.stats(),
    },
    overloadRefusals: overload.refusals,
    connections: () => connections.count,
    metadata: () => metadata.counts(),
    certificates: certificates.counts,
  });
}

function createMetadata(settings: ServerSettings, watch: TurnWatch): MetadataRefresher {
  return createRefresher({
    networks: settings.metadataNetworks,
    interval: settings.metadataInterval || DAY_MS,
    nextTurn: resumeAfter(watch, "slice", () => setImmediate()),
  });
}

function createLimiter({ window, limits }: RateLimitSettings, store: Store, isProxy: IpRangeSet): RateLimiter {
  return createRateLimiter({ limits, counters: createRateCounters({ window, shared: store.sharedCounter }), isProxy });
}

/** The org whose log records a request to this host: the org that was asked, else the default org, if any. */
async function findLogOwner(
  tenants: Tenants,
  host: string | undefined,
  baseDomain: string,
): Promise<LogOwner | undefined> {
  const asked = host === undefined ? undefined : await tenants.get(host);
  const wasAsked = isServed(asked);
  const owner = wasAsked ? asked : await tenants.get(baseDomain);
  return owner && { orgId: owner.org.id, wasAsked };
}
