import { readFileSync } from "node:fs";
import { messageOf } from "../../store/contract/errors.js";
import { readConfigFile } from "./config-file.js";
import { ENV_PREFIX, SETTING_NAMES, SETTINGS, variableOf, type SettingName } from "./index.js";
import { parseSettings } from "./parse.js";
import type { SettingFacts } from "./setting.js";
import { SettingsError, type GivenValue, type Settings } from "./settings.js";

/** A variable with this ending has the name of a file with the value. */
const FILE_SUFFIX = "_FILE";

/** In characters. */
const MAX_SECRET_LENGTH = 65_536;

/** What is given, and the settings that it makes. */
export interface ReadSettings {
  readonly given: ReadonlyMap<SettingName, GivenValue>;
  readonly settings: Settings;
}

/**
 * Read all settings. Flags override environment variables, which override the file of `--config`; an empty variable counts
 * as absent.
 *
 * @throws {SettingsError} for the first variable or setting of the file that is unknown, and the first value that is invalid
 */
export function readSettings(
  flags: ReadonlyMap<SettingName, GivenValue>,
  env: Readonly<NodeJS.ProcessEnv>,
): ReadSettings {
  const above = new Map([...readEnvironment(env), ...flags]);
  const file = above.get("config")?.text ?? "";
  const given = file === "" ? above : new Map([...readConfigFile(file), ...above]);
  return { given, settings: parseSettings(given) };
}

function readEnvironment(env: Readonly<NodeJS.ProcessEnv>): [SettingName, GivenValue][] {
  const known = new Set(SETTING_NAMES.flatMap((name) => [variableOf(name), ...(isSecret(name) ? [fileOf(name)] : [])]));
  const unknown = Object.keys(env).find((variable) => variable.startsWith(ENV_PREFIX) && !known.has(variable));
  if (unknown !== undefined)
    throw new SettingsError(`Unknown environment variable ${unknown}; --help lists what there is`);
  return SETTING_NAMES.flatMap((name) => {
    const source = variableOf(name);
    const text = env[source] ?? "";
    const file = isSecret(name) ? (env[fileOf(name)] ?? "") : "";
    if (text !== "" && file !== "") throw new SettingsError(`${source} and ${fileOf(name)} exclude each other`);
    if (file !== "") return [[name, { text: readSecret(file, fileOf(name)), source: fileOf(name) }]];
    return text === "" ? [] : [[name, { text, source }]];
  });
}

/** The text of a file, without the end of its last line. */
function readSecret(file: string, source: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new SettingsError(`The file of ${source} can't be read: ${messageOf(error)}`);
  }
  if (text.length > MAX_SECRET_LENGTH)
    throw new SettingsError(`The file of ${source} is longer than ${MAX_SECRET_LENGTH} characters`);
  const secret = text.replace(/\r?\n$/, "");
  if (secret === "") throw new SettingsError(`The file of ${source} is empty`);
  return secret;
}

function isSecret(name: SettingName): boolean {
  const { secret }: SettingFacts = SETTINGS[name];
  return secret === true;
}

/** `DATABASE_URL_FILE` for `--database-url`. */
function fileOf(name: SettingName): string {
  return variableOf(name) + FILE_SUFFIX;
}
