import type { Logger } from "pino";
import { startServer, type RunningServer } from "../server.js";
import { openStore } from "../store/store.js";
import { DEFAULT_SUBDOMAIN } from "../tenancy/tenants.js";
import { formatExample, formatFirstToken, formatListeningUrl } from "./announcement.js";
import { generateCertificate, readCertificate, type TlsCertificate } from "./certificate.js";
import { findSecrets } from "./secrets.js";
import type { Settings } from "./settings.js";

/** A running server, in one process or several. */
export interface StartedServer {
  /** The URL that it serves, such as `https://localhost:8443`. */
  readonly url: string;
  /** A command to try the server with, when there is a default org. */
  readonly example: string | undefined;
  /** On the first start: an API token of the demonstration org and how to use it. The token is shown only here. */
  readonly firstToken?: string | undefined;
  /** Finish the requests in flight, refuse new ones, close the store. */
  readonly close: () => Promise<void>;
}

/**
 * Open the store, find certificate and secrets, and start the server with them.
 *
 * @throws {SettingsError | StoreError | ListenError} when the environment prevents a start
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
  // OpenSSL accepts no wildcard directly below a top-level domain, as in *.localhost
  const names = [baseDomain, `*.${baseDomain}`, `${DEFAULT_SUBDOMAIN}.${baseDomain}`, "localhost"];
  return generateCertificate(dataFolder, [...new Set(names)]);
}
