import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { DEMO_SUBDOMAIN } from "../../model/orgs.js";
import type { Watcher } from "../../store/contract/engine.js";
import type { Store } from "../../store/store.js";
import { generateCertificate, type TlsCertificate } from "./certificate.js";
import type { Settings } from "../settings/settings.js";

/** Hosts of orgs in one certificate. Some clients refuse certificates of more than 64 KB; a host has 253 characters. */
export const MAX_HOSTS = 200;

/** In milliseconds. Changes within this time lead to one renewal. */
const CHANGE_MS = 100;

/**
 * The names of a generated certificate: the base domain, and the hosts of the orgs, which are their custom domains and,
 * if no wildcard covers them, their subdomains. Of more than {@link MAX_HOSTS} hosts, those of the oldest orgs.
 */
export async function listNames(store: Pick<Store, "listHosts">, baseDomain: string): Promise<string[]> {
  // OpenSSL accepts no wildcard directly below a top-level domain, as in *.localhost
  const suffix = baseDomain.includes(".") ? undefined : `.${baseDomain}`;
  const hosts = await store.listHosts(suffix, MAX_HOSTS);
  return [...new Set([baseDomain, `*.${baseDomain}`, `${DEMO_SUBDOMAIN}.${baseDomain}`, "localhost", ...hosts])];
}

export interface RenewalOptions {
  settings: Pick<Settings, "dataFolder" | "baseDomain">;
  /** The names of the present certificate. */
  names: readonly string[];
  /** Called with each new certificate. */
  use: (certificate: TlsCertificate) => void;
  log: Pick<Logger, "info" | "error">;
}

/** What renews the certificate. */
export interface Renewal extends Watcher {
  /** Generate a new certificate now, with the authority that is in the data folder now. */
  renew(): void;
}

/** Generate a new certificate whenever the hosts of the orgs change. */
export function renewOnChanges(
  store: Pick<Store, "listHosts" | "watchChanges">,
  { settings: { dataFolder, baseDomain }, names, use, log }: Readonly<RenewalOptions>,
): Renewal {
  let covered = names;
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  let closed = false;

  async function renew(isWanted: boolean): Promise<void> {
    try {
      const found = await listNames(store, baseDomain);
      if (!isWanted && isDeepStrictEqual(found, covered)) return;
      use(await generateCertificate(dataFolder, found));
      covered = found;
      if (isWanted) log.info("certificate reloaded");
    } catch (error) {
      if (!closed) log.error({ err: error }, "certificate not renewed: the old one stays in use");
    }
  }

  function renewSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      work = work.then(() => renew(false));
    }, CHANGE_MS);
  }

  const changes = store.watchChanges(renewSoon);
  renewSoon(); // for hosts that came since `names` were listed
  return {
    renew() {
      work = work.then(() => renew(true));
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await changes.close();
      await work;
    },
  };
}
