import { compileNamespace } from "etiquette/namespace";
import { z } from "zod";
import { countCores } from "./cores.js";
import { SETTING_NAMES, SETTINGS, type SettingName } from "./index.js";
import { MAX_WORKERS } from "./listening.js";
import type { Members, Setting, SettingFacts } from "./setting.js";
import { SettingsError, type GivenValue, type Settings } from "./settings.js";

/** The checked values by flag. */
type Values = { readonly [N in SettingName]: z.output<(typeof SETTINGS)[N]["shape"]> };

type TargetOf<S> = S extends { readonly target: infer M extends keyof Members } ? M : never;

/** What no setting fills alone: a member of {@link Settings} that no setting names is missed in {@link combine}. */
type Combined = Omit<Members, TargetOf<(typeof SETTINGS)[SettingName]>>;

const VALUES = z.object(Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].shape])));

/**
 * Check the given values and fill in the defaults.
 *
 * @throws {SettingsError} with the setting, the fault and the accepted values
 */
export function parseSettings(given: ReadonlyMap<SettingName, GivenValue>): Settings {
  const texts = SETTING_NAMES.map((name) => {
    const { fallback }: SettingFacts = SETTINGS[name];
    return [name, given.get(name)?.text ?? fallback];
  });
  const { data, error } = VALUES.safeParse(Object.fromEntries(texts));
  if (error) throw describeIssue(error, given);
  const values = data as Values;
  assertTogether(values);

  const members = new Map<string, unknown>(Object.entries(combine(values)));
  for (const name of SETTING_NAMES) {
    const { target }: Setting = SETTINGS[name];
    if (target !== undefined) members.set(target, values[name]);
  }
  return nest(members);
}

/** The members that depend on several settings, and the settings that are several members. */
function combine(values: Values): Combined {
  const { "tls-cert": cert, "tls-key": key, "base-domain": base, namespace } = values;
  const most = values["database-url"] === undefined ? 1 : Math.min(countCores(), MAX_WORKERS);
  return {
    workers: values.workers === "auto" ? most : values.workers,
    tlsFiles: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    demo: values.demo ?? values["database-url"] === undefined,
    apiTokenScheme: values["api-token-scheme"] ?? compileNamespace("settings", namespace).value,
    tokenLifetime: Math.min(values["token-lifetime"], values["token-max-lifetime"]),
    historyRetentionDays: values["history-retention"] ?? values["log-retention"],
    baseDomain: base.domain,
    publicPort: base.port,
  };
}

/** `overloadLimits.lag` becomes the member `lag` of `overloadLimits`. */
function nest(members: ReadonlyMap<string, unknown>): Settings {
  const settings: Record<string, unknown> = {};
  for (const [place, value] of members) {
    const [group = "", member] = place.split(".");
    if (member === undefined) settings[group] = value;
    else settings[group] = { ...(settings[group] as object | undefined), [member]: value };
  }
  return settings as unknown as Settings;
}

function assertTogether(values: Values): void {
  const { port, http, workers, "trusted-proxies": proxies, "tls-cert": cert, "tls-key": key } = values;
  if ((cert === undefined) !== (key === undefined)) throw new SettingsError("--tls-cert and --tls-key go together");
  if (http && proxies.length === 0) {
    throw new SettingsError("--http needs --trusted-proxies: the addresses of the proxy that terminates TLS");
  }
  if (http && cert !== undefined) throw new SettingsError("--http and --tls-cert exclude each other");
  if (values["admin-port"] === port && port !== 0) {
    throw new SettingsError("--admin-port must be another than --port");
  }
  const { "v1-deprecation": deprecation, "v1-sunset": sunset } = values;
  if (sunset && deprecation && sunset < deprecation) {
    throw new SettingsError("--v1-sunset must not be before --v1-deprecation");
  }
  if (values["database-url"] !== undefined) return;
  if (workers !== "auto" && workers > 1)
    throw new SettingsError("--workers needs --database-url: SQLite is for one process");
  for (const name of ["listen-url", "read-url"] as const) {
    if (values[name] !== undefined) throw new SettingsError(`--${name} needs --database-url`);
  }
}

function describeIssue(error: z.ZodError, given: ReadonlyMap<SettingName, GivenValue>): SettingsError {
  const { path, message } = error.issues[0] ?? { path: [], message: "" };
  const name = path[0] as SettingName;
  const { source = `--${name}`, text = "" } = given.get(name) ?? {};
  const { secret }: SettingFacts = SETTINGS[name];
  return new SettingsError(`${source} ${message}${secret ? "" : `, not ${JSON.stringify(text)}`}`);
}
