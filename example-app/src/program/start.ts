import type { Logger } from "pino";
import { startServer, type RunningServer } from "../server.js";
import { openStore } from "../store/store.js";
import { DEFAULT_SUBDOMAIN } from "../tenancy/tenants.js";
import { formatExample, formatFirstToken, formatListeningUrl } from "./announcement.js";
import { generateCertificate, readCertificate, type TlsCertificate } from "./certificate.js";
import { findSecrets } from "./secrets.js";
import type { Settings } from "./settings.js";

/** A server, or several processes, that serve. */
export interface StartedServer {
  /** Where it listens, such as `https://localhost:8443`. */
  readonly url: string;
  /** A command that shows it at work, when there is a default org. */
  readonly example: string | undefined;
  /** On the first start: an API token of the demonstration org, which is shown nowhere else, and how to use it. */
  readonly firstToken?: string | undefined;
  /** Let the requests in flight finish, refuse new ones, close the store. */
  readonly close: () => Promise<void>;
}

/**
 * Open the store, find certificate and secrets, and start the server with them.
 *
 * @throws {SettingsError | StoreError | ListenError} when something in its surroundings keeps it from starting
 */
export async function start(settings: Settings, log: Logger): Promise<StartedServer> {
  const certificate = settings.http ? undefined : await findCertificate(settings);
  const { databaseUrl, dataFolder } = settings;
  const store = await openStore({ databaseUrl, dataFolder });
  try {
    const secrets = await findSecrets(settings, log);
    const server = await startServer({ settings: { ...settings, secrets }, store, certificate, log });
    return announce(server, settings, certificate?.trustFile);
  } catch (error) {
    await store.close();
    throw error;
  }
}

function announce(
  { port, tenant, firstToken, close }: RunningServer,
  settings: Settings,
  trustFile: string | undefined,
): StartedServer {
  const facts = tenant && { settings, port, tenant, trustFile };
  return {
    url: formatListeningUrl(settings, port),
    example: facts && formatExample(facts),
    firstToken: facts && firstToken !== undefined ? formatFirstToken(facts, firstToken) : undefined,
    close,
  };
}

async function findCertificate({ tlsFiles, dataFolder, baseDomain }: Settings): Promise<TlsCertificate> {
  if (tlsFiles) return readCertificate(tlsFiles);
  // OpenSSL takes no wildcard directly below a top-level domain, as in *.localhost
  const names = [baseDomain, `*.${baseDomain}`, `${DEFAULT_SUBDOMAIN}.${baseDomain}`, "localhost"];
  return generateCertificate(dataFolder, [...new Set(names)]);
}
