import type { Logger } from "pino";
import { SETTING_NAMES, SETTINGS, type SettingName } from "../settings/index.js";
import type { ReadSettings } from "../settings/read.js";
import type { SettingFacts } from "../settings/setting.js";
import { SettingsError, type Settings } from "../settings/settings.js";

export interface ReloadOptions {
  readonly read: () => ReadSettings;
  readonly log: Logger;
  /** Whether the log is told of settings that need a restart: one process of several does. */
  readonly isTold: boolean;
}

/**
 * A function that reads the settings again, takes over the level of the log, and tells the log what needs a restart. It
 * returns the settings to go on with: those of before when one is wrong now.
 */
export function createReload(first: ReadSettings, { read, log, isTold }: ReloadOptions): () => Settings {
  let current = first;

  return function reloadSettings() {
    try {
      current = read();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      log.error({ reason: error.message }, "settings not reloaded: the old ones stay in use");
      return current.settings;
    }
    log.level = current.settings.logLevel;
    const stale = SETTING_NAMES.filter((name) => needsRestart(name, textOf(name, first), textOf(name, current)));
    if (isTold && stale.length > 0) log.warn({ settings: stale }, "changed settings need a restart");
    return current.settings;
  };
}

function textOf(name: SettingName, { given }: ReadSettings): string | undefined {
  const { fallback }: SettingFacts = SETTINGS[name];
  return given.get(name)?.text ?? fallback;
}

/** A certificate of the server's own doesn't give way to one from a file, nor the other way round. */
function needsRestart(name: SettingName, before: string | undefined, now: string | undefined): boolean {
  const { isReloaded }: SettingFacts = SETTINGS[name];
  return before !== now && (isReloaded !== true || before === undefined || now === undefined);
}
