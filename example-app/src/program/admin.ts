import { startAdminServer, type AdminOptions, type AdminSources } from "../admin-server.js";
import { formatUrl } from "./announcement.js";
import type { Settings } from "./settings.js";

/** The admin port of this process. */
export interface Admin {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Open the admin port, if the settings ask for one.
 *
 * @throws {ListenError} when it can't be listened on
 */
export async function openAdmin(
  { adminPort, adminHost, namespace }: Pick<Settings, "adminPort" | "adminHost" | "namespace">,
  options: AdminSources & Pick<AdminOptions, "log">,
): Promise<Admin | undefined> {
  if (adminPort === undefined) return undefined;
  const { port, close } = await startAdminServer({ ...options, host: adminHost, port: adminPort, namespace });
  return { url: formatUrl("http", adminHost, port), close };
}
