import { ADMIN } from "./admin.js";
import { API } from "./api.js";
import { CONFIG } from "./config.js";
import { DATABASE } from "./database.js";
import { LIMITS } from "./limits.js";
import { LISTENING } from "./listening.js";
import { LOG } from "./log.js";
import { METADATA } from "./metadata.js";
import { NAMES } from "./names.js";
import { SECRETS } from "./secrets.js";
import type { SettingFacts, SettingGroup } from "./setting.js";
import { TOKENS } from "./tokens.js";

/** Every setting by its flag, in the order of the help. */
export const SETTINGS = {
  ...CONFIG,
  ...LISTENING,
  ...DATABASE,
  ...SECRETS,
  ...NAMES,
  ...TOKENS,
  ...API,
  ...METADATA,
  ...LIMITS,
  ...LOG,
  ...ADMIN,
};

/** The same, below the headings of the page. */
export const SETTING_GROUPS: Readonly<Record<string, SettingGroup>> = {
  "File with settings": CONFIG,
  Listening: LISTENING,
  Database: DATABASE,
  "Certificate and secrets": SECRETS,
  Names: NAMES,
  "API tokens and console": TOKENS,
  "WebFinger and API": API,
  "Metadata of providers": METADATA,
  Limits: LIMITS,
  Logs: LOG,
  "Probes and metrics": ADMIN,
};

/** A flag without its dashes. */
export type SettingName = keyof typeof SETTINGS;

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Variables with this prefix are settings. */
export const ENV_PREFIX = "ETIQUETTE_";

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** The environment variable of a setting: `ETIQUETTE_LOG_LEVEL` for `--log-level`. */
export function variableOf(name: SettingName): string {
  const { env }: SettingFacts = SETTINGS[name];
  return env ?? ENV_PREFIX + name.toUpperCase().replaceAll("-", "_");
}
