import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "etiquette/create-server";
import { compileTrustedProxies } from "etiquette/trusted-proxies";
import type { Logger } from "pino";
import { formatExample, formatFirstToken, formatListeningUrl } from "./announcement.js";
import { createApp } from "./app.js";
import { createEventQueue } from "./audit/event-queue.js";
import { createRefusalEvents } from "./audit/request-events.js";
import { generateCertificate, readCertificate, type TlsCertificate } from "./certificate.js";
import { trackConnections } from "./connections.js";
import { createRoutingCache } from "./discovery/routing-cache.js";
import { createProtocolErrorLog } from "./http/request-log.js";
import { createRequestId } from "./request-ids.js";
import { findSecrets } from "./secrets.js";
import type { Settings } from "./settings.js";
import { startLogRetention } from "./store/log-retention.js";
import { openStore, type Store } from "./store/store.js";
import { createTenants, DEFAULT_SUBDOMAIN, hostName, type Tenants } from "./tenants.js";
import { seedDemo } from "./transfer/seed.js";

/** Answers that take longer than this are cut off by a shutdown. */
const SHUTDOWN_MS = 10_000;

/** What keeps the server from listening: one line for the person who started it. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

export interface RunningServer {
  /** Where it listens, such as `https://localhost:8443`. */
  readonly url: string;
  /** A command that shows it at work, when the demonstration org is there. */
  readonly example: string | undefined;
  /** On the first start: an API token of the demonstration org, which is shown nowhere else, and how to use it. */
  readonly firstToken?: string | undefined;
  /** Let the requests in flight finish, refuse new ones, close the store. */
  readonly close: () => Promise<void>;
}

/**
 * Open the store and serve, with the demonstration org when there is no other.
 *
 * @throws {SettingsError | StoreError | ListenError} when something in its surroundings keeps it from starting
 */
export async function startServer(settings: Settings, log: Logger): Promise<RunningServer> {
  const certificate = settings.http ? undefined : await findCertificate(settings);
  const store = await openStore({ databaseUrl: settings.databaseUrl, dataFolder: settings.dataFolder });
  try {
    return await serve(settings, { store, certificate, log });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Dependencies {
  store: Store;
  certificate: TlsCertificate | undefined;
  log: Logger;
}

async function serve(given: Settings, { store, certificate, log }: Dependencies): Promise<RunningServer> {
  const settings = { ...given, secrets: await findSecrets(given, log) };
  const { baseDomain, namespace, trustedProxies } = settings;
  let port: number | undefined; // kept, for events are written when it no longer listens
  const publicPort = () => settings.publicPort ?? (settings.http ? undefined : port); // behind a proxy its own doesn't count
  const tenants = createTenants(store, { baseDomain, publicPort });
  const routings = createRoutingCache({ store, trustedProxies: compileTrustedProxies(trustedProxies) });
  const events = createEventQueue({ store, findOrgId: (host) => findLogOwner(tenants, host, baseDomain), log });
  const logProtocolError = createProtocolErrorLog(log);
  const addRefusalEvent = createRefusalEvents(events);
  const server: Server = createServer(createApp({ settings, store, tenants, routings, events, log }), {
    namespace,
    generator: createRequestId,
    batch: true, // answers are small and many
    log: (error, report) => {
      logProtocolError(error, report);
      addRefusalEvent(report);
    },
    ...(certificate && { tls: { cert: certificate.cert, key: certificate.key } }),
  });
  const connections = trackConnections(server);
  const retention = await startLogRetention(store, { days: settings.logRetentionDays, log });
  const watcher = store.watchChanges((orgId) => {
    tenants.expire(({ org }) => orgId === undefined || org.id === orgId);
    routings.expire((org) => orgId === undefined || org.orgId === orgId);
  });
  const close = async () => {
    await connections.drain(SHUTDOWN_MS);
    await events.close();
    await retention.close();
    await watcher.close();
    await store.close();
  };
  try {
    port = await listen(server, settings);
    // Not before it listens: a start that fails must not be the first one, which alone shows the token.
    const token = await seedDemo(store);
    const tenant = await tenants.get(baseDomain);
    const facts = tenant && { settings, port, tenant, trustFile: certificate?.trustFile };
    return {
      url: formatListeningUrl(settings, port),
      example: facts && formatExample(facts),
      firstToken: facts && token !== undefined ? formatFirstToken(facts, token) : undefined,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The org whose log has a request to this host: the one that is named, else the default one, if there is any. */
async function findLogOwner(tenants: Tenants, host: string | undefined, baseDomain: string) {
  const named = host === undefined ? undefined : await tenants.get(hostName(host));
  return (named ?? (await tenants.get(baseDomain)))?.org.id;
}

async function findCertificate({ tlsFiles, dataFolder, baseDomain }: Settings): Promise<TlsCertificate> {
  if (tlsFiles) return readCertificate(tlsFiles);
  // OpenSSL takes no wildcard directly below a top-level domain, as in *.localhost
  const names = [baseDomain, `*.${baseDomain}`, `${DEFAULT_SUBDOMAIN}.${baseDomain}`, "localhost"];
  return generateCertificate(dataFolder, [...new Set(names)]);
}

/** @returns the port, which the system picks for port 0 */
async function listen(server: Server, { host, port }: Settings): Promise<number> {
  server.listen({ host, port });
  try {
    await once(server, "listening");
  } catch (error) {
    throw new ListenError(describeListenError(error as NodeJS.ErrnoException, host, port));
  }
  return (server.address() as AddressInfo).port;
}

function describeListenError({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is in use: stop what listens there or choose another with --port`;
    case "EACCES":
      return `Port ${port} on ${host} may not be listened on by this user: choose one above 1023 with --port`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${host} is no address of this machine: choose another with --host`;
    default:
      return `Can't listen on ${host}, port ${port}: ${message}`;
  }
}
