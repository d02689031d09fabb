import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Server as TlsServer } from "node:tls";
import { createServer } from "etiquette/create-server";
import { compileTrustedProxies } from "etiquette/trusted-proxies";
import type { Logger } from "pino";
import { createApp, type AppSettings } from "./app.js";
import { createEventQueue } from "./audit/event-queue.js";
import { createRequestId } from "./audit/request-ids.js";
import { observeProtocolErrors } from "./audit/request-observer.js";
import { trackConnections } from "./connections.js";
import { startLogRetention } from "./store/log-retention.js";
import type { Store } from "./store/store.js";
import { createRoutingCache } from "./tenancy/routing-cache.js";
import { createTenants, hostName, type Tenant, type Tenants } from "./tenancy/tenants.js";
import { seedDemo } from "./transfer/seed.js";

/** A shutdown cuts off responses that take longer than this. */
const SHUTDOWN_MS = 10_000;

/** The reason why the server can't listen: one line for the person who started it. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** The settings of the server. */
export interface ServerSettings extends AppSettings {
  readonly port: number;
  readonly host: string;
  readonly baseDomain: string;
  /** The subdomain of the org that is served on the base domain. */
  readonly defaultOrg: string;
  /** The port in emitted URLs, when it differs from the one that the server listens on. */
  readonly publicPort: number | undefined;
  /** Days that events stay in the System Log. */
  readonly logRetentionDays: number;
}

export interface ServerOptions {
  settings: ServerSettings;
  store: Store;
  /** PEM; `undefined` for plain HTTP, behind a proxy that terminates TLS. */
  certificate: Certificate | undefined;
  log: Logger;
}

/** PEM; the key may be in one text with the certificate. */
export type Certificate = Readonly<{ cert: string; key: string }>;

export interface RunningServer {
  /** The port that the server listens on. */
  readonly port: number;
  /** The default org, if there is one. */
  readonly tenant: Tenant | undefined;
  /** On the first start: an API token of the demonstration org, whose secret is stored nowhere. */
  readonly firstToken: string | undefined;
  /** Use another certificate for new connections. */
  readonly useCertificate: (certificate: Certificate) => void;
  /** Finish the requests in flight, refuse new ones, close the store. */
  readonly close: () => Promise<void>;
}

/**
 * Serve the content of the store; an empty store gets the demonstration org.
 *
 * @throws {StoreError | ListenError} when the environment prevents a start
 */
export async function startServer({
  settings,
  store,
  certificate,
  log,
}: Readonly<ServerOptions>): Promise<RunningServer> {
  const { baseDomain, defaultOrg, namespace, trustedProxies } = settings;
  let port: number | undefined; // kept, because events are also written after the server stops listening
  const publicPort = () => settings.publicPort ?? (certificate && port); // behind a proxy the own port doesn't count
  const tenants = createTenants(store, { baseDomain, defaultOrg, publicPort });
  const routings = createRoutingCache({ store, trustedProxies: compileTrustedProxies(trustedProxies) });
  const events = createEventQueue({ store, findOrgId: (host) => findLogOwner(tenants, host, baseDomain), log });
  const server: Server = createServer(createApp({ settings, store, tenants, routings, events, log }), {
    namespace,
    generator: createRequestId,
    batch: true, // responses are small and many
    log: observeProtocolErrors({ log, events }),
    ...(certificate && { tls: { cert: certificate.cert, key: certificate.key } }),
  });
  const connections = trackConnections(server);
  const retention = await startLogRetention(store, { days: settings.logRetentionDays, log });
  const watcher = store.watchChanges((orgId) => {
    tenants.expire(({ org }) => orgId === undefined || org.id === orgId);
    routings.expire((org) => orgId === undefined || org.orgId === orgId);
  });
  const useCertificate = ({ cert, key }: Certificate) => {
    if (server instanceof TlsServer) server.setSecureContext({ cert, key });
  };
  const close = async () => {
    await connections.drain(SHUTDOWN_MS);
    await events.close();
    await retention.close();
    await watcher.close();
    await store.close();
  };
  try {
    port = await listen(server, settings);
    // Only after listening: a failed start must not count as the first one, which is the only one to show the token.
    const firstToken = await seedDemo(store);
    return { port, tenant: await tenants.get(baseDomain), firstToken, useCertificate, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The org whose log records a request to this host: the org of the host, else the default org, if any. */
async function findLogOwner(tenants: Tenants, host: string | undefined, baseDomain: string) {
  const named = host === undefined ? undefined : await tenants.get(hostName(host));
  return (named ?? (await tenants.get(baseDomain)))?.org.id;
}

/** @returns the port, which the system chooses for port 0 */
async function listen(server: Server, { host, port }: ServerSettings): Promise<number> {
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
