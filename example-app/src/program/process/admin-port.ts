import { startAdminServer, type AdminOptions, type AdminSources } from "../../admin-server.js";
import { formatUrl } from "./announcement.js";
import type { Settings } from "../settings/settings.js";

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
  {
    adminPort,
    adminHost,
    adminNames,
    namespace,
  }: Pick<Settings, "adminPort" | "adminHost" | "adminNames" | "namespace">,
  options: AdminSources & Pick<AdminOptions, "log">,
): Promise<Admin | undefined> {
  if (adminPort === undefined) return undefined;
  const place = { host: adminHost, port: adminPort, names: adminNames };
  const { port, close } = await startAdminServer({ ...options, ...place, namespace });
  return { url: formatUrl("http", adminHost, port), close };
}
