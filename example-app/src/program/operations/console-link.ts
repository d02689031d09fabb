import { recordCommandEvents, writeCommand } from "../../audit/command-events.js";
import { describeConsoleLink } from "../../audit/describe-change.js";
import { insertLink } from "../../store/records/console.js";
import type { Store } from "../../store/store.js";
import { formatBaseUrl } from "../../tenancy/tenants.js";
import { formatLink } from "../process/announcement.js";
import { SettingsError, type Settings } from "../settings/settings.js";
import { findOrg } from "./tokens.js";

type LinkSettings = Pick<Settings, "baseDomain" | "defaultOrg" | "publicPort" | "http" | "port" | "consoleFolder">;

/**
 * A link that opens the console of an org signed in. It works once, within ten minutes. Access to the database is the only
 * authorization.
 *
 * @throws {TokenError} when there is no such org
 */
export async function createLink(store: Store, org: string, settings: LinkSettings): Promise<string> {
  if (settings.consoleFolder === undefined) throw new SettingsError("console and --no-console exclude each other");
  const found = await findOrg(store, org);
  const code = await writeCommand(store, async (transaction) => {
    const made = await insertLink(transaction, found.id);
    await recordCommandEvents(transaction, found.id, { command: "console" }, [() => describeConsoleLink(found)]);
    return made;
  });
  const port = settings.publicPort ?? (settings.http ? undefined : settings.port);
  return formatLink(formatBaseUrl(found, settings, port), code);
}
