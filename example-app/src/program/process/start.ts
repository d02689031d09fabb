import cluster from "node:cluster";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { compileNamespace } from "etiquette/namespace";
import type { Logger } from "pino";
import { DEMO_SUBDOMAIN } from "../../model/orgs.js";
import { watchTurns } from "../../monitoring/long-turns.js";
import { createMetrics, type Metrics } from "../../monitoring/metrics.js";
import { createReadiness, type Readiness } from "../../monitoring/readiness.js";
import { startServer, type RunningServer } from "../../server.js";
import type { TurnWatch } from "../../pace/turn-watch.js";
import type { ReplicaState } from "../../store/contract/engine.js";
import { openStore, type Store } from "../../store/store.js";
import { openStoreOrSnapshot } from "./open-store.js";
import { openAdmin, type Admin } from "./admin-port.js";
import {
  formatExample,
  formatFirstAccess,
  formatLink,
  formatListeningUrl,
  formatTerminal,
  type FirstShown,
} from "./announcement.js";
import { generateCertificate, readCertificate, reloadCertificate } from "../secrets/certificate.js";
import { replaceFile } from "../../disk/files.js";
import { listNames, renewOnChanges } from "../secrets/org-certificate.js";
import { findSecrets } from "../secrets/secrets.js";
import { SettingsError, type Settings } from "../settings/settings.js";
import { answerParent } from "./worker-questions.js";

/** A running server, in one process or several. */
export interface StartedServer {
  /** The URL that it serves, such as `https://localhost:8443`. */
  readonly url: string;
  /** A command to try the server with, when there is a default org. */
  readonly example: string | undefined;
  /** When this start created the demonstration org: a link to the console and an API token, or the files with them. */
  readonly firstAccess?: string | undefined;
  /** All that a person at a terminal is told, when there is a default org. */
  readonly terminalText: string | undefined;
  /** The URL of the admin port, if this process has it. */
  readonly adminUrl?: string | undefined;
  /** Read the certificate of these settings and use it for new connections. The log says whether that worked. */
  readonly reload: (settings: Pick<Settings, "tlsFiles">) => void;
  /** Finish the requests in flight, refuse new ones, close the store. */
  readonly close: () => Promise<void>;
}

/** The files in the data folder that have the first token and the first link, if no terminal showed them. */
const FIRST_TOKEN_FILE = "first-token";
const FIRST_LINK_FILE = "first-link";

/** What tells others how this process is. */
interface Signs {
  readonly readiness: Readiness;
  readonly metrics: Metrics | undefined;
}

/**
 * Open the admin port, the store, find certificate and secrets, and start the server with them.
 *
 * @param isTerminal whether the first token is shown to a person; otherwise it goes to a file, because logs are kept and read
 *   by many
 * @throws {SettingsError | StoreError | ListenError} when the environment prevents a start
 */
export async function start(settings: Settings, log: Logger, isTerminal = false): Promise<StartedServer> {
  const readiness = createReadiness();
  const { adminPort, defaultOrg, metricsOrgs: orgs } = settings;
  const { value: orgType } = compileNamespace("start", settings.namespace);
  const decisions = { orgs, orgType };
  const metrics = adminPort === undefined ? undefined : createMetrics({ readiness, defaultOrg, decisions });
  const admin = metrics && (await showSigns(settings, { readiness, metrics }, log));
  try {
    const server = await serve(settings, { log, isTerminal, signs: { readiness, metrics } });
    const close = async () => {
      await server.close();
      await admin?.close();
    };
    return { ...server, adminUrl: admin?.url, close };
  } catch (error) {
    await admin?.close();
    throw error;
  }
}

/** A worker tells its parent, which has the admin port. */
async function showSigns(
  settings: Settings,
  { readiness, metrics }: { readiness: Readiness; metrics: Metrics },
  log: Logger,
): Promise<Admin | undefined> {
  if (!cluster.isWorker) return openAdmin(settings, { readiness, formatMetrics: metrics.format, log });
  answerParent({ obstacle: async () => (await readiness.findObstacle()) ?? null, metrics: metrics.values });
  return undefined;
}

interface ServeOptions {
  log: Logger;
  isTerminal: boolean;
  signs: Signs;
}

async function serve(settings: Settings, { log, isTerminal, signs }: Readonly<ServeOptions>): Promise<StartedServer> {
  const { tlsFiles, dataFolder, http } = settings;
  const given = tlsFiles && (await readCertificate(tlsFiles));
  const { metrics, readiness } = signs;
  const watch = watchTurns({ log, count: metrics?.countLongTurn, isServing: readiness.isServing });
  let found: ReturnType<typeof findSecrets> | undefined;
  const readSecrets = () => (found ??= findSecrets(settings, log));
  const open = () => openCurrent(settings, log, watch);
  const store = await openStoreOrSnapshot(settings, { open, findSecrets: readSecrets, log });
  try {
    await checkDefaultOrg(store, settings);
    const secrets = await readSecrets();
    const names = given || http ? undefined : await listNames(store, settings.baseDomain);
    const certificate = names ? await generateCertificate(dataFolder, names) : given;
    const server = await startServer({ settings: { ...settings, secrets }, store, certificate, log, watch, ...signs });
    const { useCertificate: use } = server;
    const renewal = names && renewOnChanges(store, { settings, names, use, log });
    const close = async () => {
      await Promise.all([renewal?.close(), server.close()]);
    };
    const reload = ({ tlsFiles: files = tlsFiles }: Pick<Settings, "tlsFiles">) => {
      if (renewal) renewal.renew();
      else if (files && given) void reloadCertificate(files, use, log);
    };
    const first = await keepFirstAccess(server, settings, isTerminal);
    return { ...announce(server, { settings, trustFile: certificate?.trustFile, first }), reload, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openCurrent(settings: Settings, log: Logger, watch: TurnWatch): Promise<Store> {
  const store = await openStore({
    ...settings,
    reportReplica: logReplica.bind(undefined, log),
    reportMigration(step) {
      log.info({ step }, "the schema changes");
    },
    watch,
  });
  const { newer: migrations } = store;
  if (migrations.length > 0) log.warn({ migrations }, "the database is one version newer than this server");
  return store;
}

function logReplica(log: Logger, { isUsed, reason }: ReplicaState): void {
  if (isUsed) log.info("reads go to the replica");
  else log.warn({ reason }, "reads go to the primary");
}

/** A name that is mistyped, or not imported yet, must not lead to a server whose base domain is 404. */
async function checkDefaultOrg(store: Store, { defaultOrg }: Settings): Promise<void> {
  const org = await store.findOrgBySubdomain(defaultOrg);
  if (org && org.status !== "ACTIVE") {
    throw new SettingsError(`--default-org is ${defaultOrg}, which is ${org.status}; activate it, or name another org`);
  }
  if (org || defaultOrg === DEMO_SUBDOMAIN) return;
  throw new SettingsError(`--default-org is ${defaultOrg}, but no org has this subdomain; import the org first`);
}

async function keepFirstAccess(
  { first, tenant }: RunningServer,
  { dataFolder, consoleFolder }: Settings,
  isTerminal: boolean,
): Promise<FirstShown | undefined> {
  if (!first || !tenant) return undefined;
  const link = consoleFolder === undefined ? undefined : formatLink(tenant.baseUrl, first.code);
  if (isTerminal) return { token: first.token, link };
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const tokenFile = join(dataFolder, FIRST_TOKEN_FILE);
  await replaceFile(tokenFile, `${first.token}\n`);
  if (link === undefined) return { tokenFile, linkFile: undefined };
  const linkFile = join(dataFolder, FIRST_LINK_FILE);
  await replaceFile(linkFile, `${link}\n`);
  return { tokenFile, linkFile };
}

function announce(
  { port, tenant }: RunningServer,
  { settings, trustFile, first }: { settings: Settings; trustFile: string | undefined; first: FirstShown | undefined },
): Omit<StartedServer, "reload" | "close"> {
  const facts = tenant && { settings, port, tenant, trustFile };
  return {
    url: formatListeningUrl(settings, port),
    example: facts && formatExample(facts),
    firstAccess: facts && first && formatFirstAccess(facts, first),
    terminalText: facts && formatTerminal({ ...facts, first: cluster.isWorker ? undefined : first }),
  };
}
