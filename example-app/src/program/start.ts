import type { Logger } from "pino";
import { DEMO_SUBDOMAIN } from "../model/orgs.js";
import { startServer, type RunningServer } from "../server.js";
import { openStore, type Store } from "../store/store.js";
import { formatExample, formatFirstToken, formatListeningUrl } from "./announcement.js";
import { generateCertificate, readCertificate } from "./certificate.js";
import { listNames, renewOnChanges } from "./org-certificate.js";
import { findSecrets } from "./secrets.js";
import { SettingsError, type Settings } from "./settings.js";

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
  const { databaseUrl, dataFolder, tlsFiles, http } = settings;
  const given = tlsFiles && (await readCertificate(tlsFiles));
  const store = await openStore({ databaseUrl, dataFolder });
  try {
    await checkDefaultOrg(store, settings);
    const secrets = await findSecrets(settings, log);
    const names = given || http ? undefined : await listNames(store, settings.baseDomain);
    const certificate = names ? await generateCertificate(dataFolder, names) : given;
    const server = await startServer({ settings: { ...settings, secrets }, store, certificate, log });
    const { useCertificate: use } = server;
    const renewal = names && renewOnChanges(store, { settings, names, use, log });
    const close = async () => {
      await Promise.all([renewal?.close(), server.close()]);
    };
    return announce({ ...server, close }, settings, certificate?.trustFile);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A name that is mistyped, or not imported yet, must not lead to a server whose base domain is 404. */
async function checkDefaultOrg(store: Store, { defaultOrg }: Settings): Promise<void> {
  if (defaultOrg === DEMO_SUBDOMAIN || (await store.findOrgBySubdomain(defaultOrg))) return;
  throw new SettingsError(`--default-org is ${defaultOrg}, but no org has this subdomain; import the org first`);
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
