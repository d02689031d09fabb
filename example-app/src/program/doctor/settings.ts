import { stat } from "node:fs/promises";
import { SETTINGS, type SettingName } from "../settings/index.js";
import type { ReadSettings } from "../settings/read.js";
import type { SettingFacts } from "../settings/setting.js";
import type { GivenValue } from "../settings/settings.js";
import { ok, warning, type Finding } from "./finding.js";

const CHECK = "settings";

/** All others than the owner of a file. */
const OTHERS = 0o077;

/** The settings as the server takes them. Each is valid, or the command line would have been refused. */
export async function checkSettings(given: ReadSettings["given"]): Promise<Finding[]> {
  const defaults = given.size === 0 ? "each has its default" : "each is valid; all but these have their default";
  return [
    ok(CHECK, defaults),
    ...Array.from(given, ([name, value]) => ok(CHECK, describe(name, value))),
    ...(await checkFile(given)),
  ];
}

/** `port is 9443 (ETIQUETTE_PORT)`, without secrets. */
function describe(name: SettingName, { text, source }: GivenValue): string {
  return `${name} is ${isSecret(name) ? "***" : text} (${source})`;
}

/** Whether others may read secrets in the file of `--config`. */
async function checkFile(given: ReadSettings["given"]): Promise<Finding[]> {
  const file = given.get("config")?.text;
  const secret = Array.from(given).find(([name, { source }]) => isSecret(name) && source.startsWith(`${name} in `));
  if (file === undefined || !secret || ((await stat(file)).mode & OTHERS) === 0) return [];
  return [warning(CHECK, `others may read the file with ${secret[0]}`, `chmod 600 ${file}`)];
}

function isSecret(name: SettingName): boolean {
  const { secret }: SettingFacts = SETTINGS[name];
  return secret === true;
}
