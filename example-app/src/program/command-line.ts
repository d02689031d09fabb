import { parseArgs } from "node:util";
import { parseSettings, SettingsError, type GivenValue, type Settings } from "./settings.js";
import { ENV_PREFIX, SETTINGS, variableOf, type SettingFacts, type SettingName } from "./settings-table.js";
import { parseTokenCommand, refuseFlags, TOKEN_FLAGS, type TokenCommand, type TokenFlag } from "./token-flags.js";

/** A parsed command line. */
export type Command =
  | { readonly name: "serve"; readonly settings: Settings }
  | { readonly name: "import"; readonly file: string; readonly settings: Settings }
  | { readonly name: "export"; readonly file: string | undefined; readonly settings: Settings }
  | { readonly name: "backup"; readonly file: string; readonly withSecrets: boolean; readonly settings: Settings }
  | { readonly name: "restore"; readonly file: string; readonly settings: Settings }
  | (TokenCommand & { readonly settings: Settings })
  | { readonly name: "help" };

const USAGE = `Usage: npm start -- [settings]                serve
       npm start -- import FILE [settings]    add what FILE holds to the database: all of it or nothing
       npm start -- export [FILE] [settings]  write what the database holds to FILE or the standard output
       npm start -- backup FILE [--with-secrets] [settings]
                                              copy the whole SQLite database to the new FILE, also while servers run;
                                              with the secret and the certificate of the data folder if you ask for them
       npm start -- restore FILE [settings]   make the database of a data folder, which must have none, from a backup
       npm start --silent -- token create --org NAME [flags] [settings]
                                              create an API token of the org and print only the token
       npm start --silent -- token list --org NAME [settings]
                                              list the API tokens of the org, but not their secrets
       npm start -- token revoke ID --org NAME [settings]
                                              revoke the token that has this id in the list`;

const SEE_HELP = "; --help lists what there is";

const names = Object.keys(SETTINGS) as SettingName[];
const tokenFlags = Object.keys(TOKEN_FLAGS) as TokenFlag[];

/**
 * Read the command and the settings. Flags override environment variables; an empty variable counts as absent.
 *
 * @param args without the program's own name
 * @throws {SettingsError} for the first argument or variable that is unknown, repeated, without a value or invalid
 */
export function parseCommandLine(args: readonly string[], env: Readonly<NodeJS.ProcessEnv>): Command {
  const { flags, forToken, words, help, withSecrets } = parseArguments(args);
  if (help) return { name: "help" };
  const settings = parseSettings(new Map([...readEnvironment(env), ...flags]));
  const [command, file, extra] = words;
  if (withSecrets && command !== "backup") throw new SettingsError("--with-secrets is for backup only");
  if (command === "token") return { ...parseTokenCommand(words.slice(1), forToken, settings.namespace), settings };
  if (extra !== undefined) throw new SettingsError(`Unexpected argument ${JSON.stringify(extra)}${SEE_HELP}`);
  refuseFlags(forToken);
  switch (command) {
    case undefined:
      return { name: "serve", settings };
    case "import":
      if (file === undefined) throw new SettingsError("import needs the name of a file: npm start -- import FILE.json");
      return { name: "import", file, settings };
    case "export":
      return { name: "export", file, settings };
    case "backup":
      if (file === undefined) throw new SettingsError("backup needs the name of a new file: npm start -- backup FILE");
      return { name: "backup", file, withSecrets, settings };
    case "restore":
      if (file === undefined) throw new SettingsError("restore needs the name of a backup: npm start -- restore FILE");
      return { name: "restore", file, settings };
    default:
      throw new SettingsError(`Unknown command ${JSON.stringify(command)}${SEE_HELP}`);
  }
}

/** The output of `--help`. */
export function formatHelp(): string {
  const settings = names.flatMap((name) => {
    const { placeholder, fallback, help }: SettingFacts = SETTINGS[name];
    const suffix = fallback === undefined ? "" : `, default ${fallback}`;
    return [formatFlag(name, placeholder, help), " ".repeat(30) + variableOf(name) + suffix];
  });
  const flags = tokenFlags.map((name) => formatFlag(name, TOKEN_FLAGS[name].placeholder, TOKEN_FLAGS[name].help));
  return [
    USAGE,
    "",
    "Flags of the token commands; all but --org are for token create only:",
    ...flags,
    "",
    "Settings, each with its environment variable; a flag overrides the variable:",
    ...settings,
  ].join("\n");
}

function formatFlag(name: string, placeholder: string | undefined, help: string): string {
  const flag = placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`;
  return `  ${flag.padEnd(28)}${help}`;
}

interface Arguments {
  flags: Map<SettingName, GivenValue>;
  forToken: Map<TokenFlag, GivenValue>;
  words: string[];
  help: boolean;
  withSecrets: boolean;
}

/** Not strict, because the messages of node:util have several lines and advice that doesn't apply here. */
function parseArguments(args: readonly string[]): Arguments {
  const options = Object.fromEntries(
    [...names, ...tokenFlags].map((name) => [
      name,
      { type: takesValue(name) ? ("string" as const) : ("boolean" as const) },
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const flags: Arguments["flags"] = new Map();
  const forToken: Arguments["forToken"] = new Map();
  const words: string[] = [];
  let help = false;
  let withSecrets = false;

  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName } = token;
    if (name === "help") {
      help = true;
      continue;
    }
    if (name === "with-secrets") {
      if (token.value !== undefined) throw new SettingsError(`${rawName} takes no value`);
      withSecrets = true;
      continue;
    }
    if (!isSettingName(name) && !isTokenFlag(name)) throw new SettingsError(`Unknown setting ${rawName}${SEE_HELP}`);
    const place: Map<string, GivenValue> = isTokenFlag(name) ? forToken : flags;
    if (place.has(name)) throw new SettingsError(`${rawName} is given twice`);
    const text = token.value ?? (takesValue(name) ? undefined : "true");
    if (text === undefined) throw new SettingsError(`${rawName} needs a value`);
    place.set(name, { text, source: rawName });
  }
  return { flags, forToken, words, help, withSecrets };
}

function readEnvironment(env: Readonly<NodeJS.ProcessEnv>): [SettingName, GivenValue][] {
  const known = new Set(names.map(variableOf));
  const unknown = Object.keys(env).find((variable) => variable.startsWith(ENV_PREFIX) && !known.has(variable));
  if (unknown !== undefined) throw new SettingsError(`Unknown environment variable ${unknown}${SEE_HELP}`);
  return names.flatMap((name) => {
    const source = variableOf(name);
    const text = env[source] ?? "";
    return text === "" ? [] : [[name, { text, source }]];
  });
}

function takesValue(name: SettingName | TokenFlag): boolean {
  return isTokenFlag(name) || "placeholder" in SETTINGS[name];
}

function isTokenFlag(name: string): name is TokenFlag {
  return Object.hasOwn(TOKEN_FLAGS, name);
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}
