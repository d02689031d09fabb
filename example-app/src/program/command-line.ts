import { parseArgs } from "node:util";
import { ORG_SWITCHES, parseOrgCommand, type OrgCommand } from "./commands/org-commands.js";
import { ENV_PREFIX, SETTINGS, variableOf, type SettingName } from "./settings/index.js";
import { parseSettings } from "./settings/parse.js";
import type { SettingFacts } from "./settings/setting.js";
import { SettingsError, type GivenValue, type Settings } from "./settings/settings.js";
import type { ErasureRequest } from "./operations/erase.js";
import {
  parseErasure,
  parseOrgFlag,
  parseTokenCommand,
  refuseFlags,
  TOKEN_FLAGS,
  type TokenCommand,
  type TokenFlag,
} from "./commands/token-flags.js";

/** A parsed command line. */
export type Command =
  | { readonly name: "serve"; readonly settings: Settings }
  | { readonly name: "import"; readonly file: string; readonly isDryRun: boolean; readonly settings: Settings }
  | {
      readonly name: "export";
      readonly file: string | undefined;
      /** Subdomain of the one org to export. */
      readonly org: string | undefined;
      readonly pseudonymize: boolean;
      readonly settings: Settings;
    }
  | { readonly name: "backup"; readonly file: string; readonly withSecrets: boolean; readonly settings: Settings }
  | { readonly name: "restore"; readonly file: string; readonly settings: Settings }
  | { readonly name: "console"; readonly org: string; readonly settings: Settings }
  | { readonly name: "erase"; readonly request: ErasureRequest; readonly settings: Settings }
  | (TokenCommand & { readonly settings: Settings })
  | (OrgCommand & { readonly settings: Settings })
  | { readonly name: "distribute"; readonly settings: Settings }
  | { readonly name: "doctor"; readonly asJson: boolean; readonly settings: Settings }
  | { readonly name: "help" };

const USAGE = `Usage: npm start -- [settings]                serve
       npm start -- import FILE [--dry-run] [settings]
                                              add what FILE holds to the database: all of it or nothing; --dry-run only
                                              says what would change
       npm start -- export [FILE] [--org NAME] [--pseudonymize] [settings]
                                              write what the database holds, of all orgs or of one, to FILE or the
                                              standard output; with pseudonyms in place of what identifies users if
                                              you ask for them
       npm start -- backup FILE [--with-secrets] [settings]
                                              copy the whole SQLite database to the new FILE, also while servers run;
                                              with the secret and the certificate of the data folder if you ask for them
       npm start -- restore FILE [settings]   make the database of a data folder, which must have none, from a backup
       npm start --silent -- token create --org NAME [flags] [settings]
                                              create an API token of the org and print only the token
       npm start --silent -- token list --org NAME [settings]
                                              list the API tokens of the org, but not their secrets
       npm start -- token revoke ID --org NAME [settings]
                                              revoke the token that has this id in the list
       npm start --silent -- console --org NAME [settings]
                                              print a link that opens the console of the org signed in, once, within
                                              ten minutes
       npm start -- erase USER --org NAME [settings]
                                              delete the user with this login or id, and erase what the System Log
                                              tells of the user
       npm start --silent -- org list [settings]
                                              list the orgs with their status
       npm start -- org suspend NAME [settings]
                                              stop serving the org with this subdomain
       npm start -- org activate NAME [settings]
                                              serve a suspended org again
       npm start -- org remove NAME [--dry-run] [--yes] [settings]
                                              remove the org with all its data, after asking for its name; --yes doesn't
                                              ask, --dry-run only says what would be removed
       npm start -- distribute [settings]     distribute the tables of a PostgreSQL database over the workers of its
                                              Citus cluster, also while servers run
       npm start --silent -- doctor [--json] [settings]
                                              check what a server with these settings depends on, say what to mend,
                                              and change nothing`;

/** Switches, each with the commands that take it. */
const SWITCHES: Readonly<Record<string, readonly string[]>> = {
  "with-secrets": ["backup"],
  pseudonymize: ["export"],
  json: ["doctor"],
  ...Object.fromEntries(ORG_SWITCHES.map((name) => [name, ["org"]])),
  "dry-run": ["import", "org"],
};

/** `--no-demo` is the same as `--demo=false`. */
const NEGATIONS: ReadonlyMap<string, SettingName> = new Map([
  ["no-demo", "demo"],
  ["no-console", "console"],
]);

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
  const { flags, forToken, words, help, switches } = parseArguments(args);
  if (help) return { name: "help" };
  const settings = parseSettings(new Map([...readEnvironment(env), ...flags]));
  const [command, file, extra] = words;
  for (const name of switches) {
    const commands = SWITCHES[name] ?? [];
    if (!commands.includes(command ?? "")) throw new SettingsError(`--${name} is for ${commands.join(" and ")} only`);
  }
  if (command === "org") {
    refuseFlags(forToken);
    return { ...parseOrgCommand(words.slice(1), switches), settings };
  }
  if (command === "token") return { ...parseTokenCommand(words.slice(1), forToken, settings), settings };
  if (command === "console")
    return { name: "console", org: parseOrgFlag("console", words.slice(1), forToken), settings };
  if (command === "erase") return { name: "erase", request: parseErasure(words.slice(1), forToken), settings };
  if (extra !== undefined) throw new SettingsError(`Unexpected argument ${JSON.stringify(extra)}${SEE_HELP}`);
  if (command === "export") {
    const org = forToken.has("org") ? parseOrgFlag("export", [], forToken) : undefined;
    if (org === undefined) refuseFlags(forToken);
    return { name: "export", file, org, pseudonymize: switches.has("pseudonymize"), settings };
  }
  refuseFlags(forToken);
  switch (command) {
    case undefined:
      return { name: "serve", settings };
    case "import":
      if (file === undefined) throw new SettingsError("import needs the name of a file: npm start -- import FILE.json");
      return { name: "import", file, isDryRun: switches.has("dry-run"), settings };
    case "backup":
      if (file === undefined) throw new SettingsError("backup needs the name of a new file: npm start -- backup FILE");
      return { name: "backup", file, withSecrets: switches.has("with-secrets"), settings };
    case "restore":
      if (file === undefined) throw new SettingsError("restore needs the name of a backup: npm start -- restore FILE");
      return { name: "restore", file, settings };
    case "distribute":
      if (file !== undefined) throw new SettingsError(`Unexpected argument ${JSON.stringify(file)}${SEE_HELP}`);
      return { name: "distribute", settings };
    case "doctor":
      if (file !== undefined) throw new SettingsError(`Unexpected argument ${JSON.stringify(file)}${SEE_HELP}`);
      return { name: "doctor", asJson: switches.has("json"), settings };
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
    "Flags of the commands on one org; all but --org are for token create only:",
    ...flags,
    "",
    "Settings, each with its environment variable; a flag overrides the variable:",
    ...settings,
  ].join("\n");
}

function formatFlag(name: string, placeholder: string | undefined, help: string): string {
  const flag = placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`;
  return `  ${flag.padEnd(27)} ${help}`;
}

interface Arguments {
  flags: Map<SettingName, GivenValue>;
  forToken: Map<TokenFlag, GivenValue>;
  words: string[];
  help: boolean;
  /** Those of {@link SWITCHES} that are given. */
  switches: Set<string>;
}

/**
 * Characters of an argument that begins with one hyphen, which `parseArgs` reads as many flags. Longer than any path, and shorter than
 * what takes it long: seconds for 100,000.
 */
const MAX_SHORT_FLAGS = 4_096;

/** Not strict, because the messages of node:util have several lines and advice that doesn't apply here. */
function parseArguments(args: readonly string[]): Arguments {
  const options = Object.fromEntries(
    [...names, ...tokenFlags].map((name) => [
      name,
      { type: takesValue(name) ? ("string" as const) : ("boolean" as const) },
    ]),
  );
  const long = args.find((arg) => arg.length > MAX_SHORT_FLAGS && /^-[^-]/.test(arg));
  if (long !== undefined) throw new SettingsError(`Unknown setting ${long.slice(0, 2)}${SEE_HELP}`);
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const flags: Arguments["flags"] = new Map();
  const forToken: Arguments["forToken"] = new Map();
  const words: string[] = [];
  let help = false;
  const switches: Arguments["switches"] = new Set();

  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName } = token;
    if (name === "help") {
      help = true;
      continue;
    }
    if (Object.hasOwn(SWITCHES, name)) {
      if (token.value !== undefined) throw new SettingsError(`${rawName} takes no value`);
      switches.add(name);
      continue;
    }
    const negated = NEGATIONS.get(name);
    if (negated !== undefined && token.value === undefined) {
      if (flags.has(negated)) throw new SettingsError(`${rawName} and --${negated} exclude each other, and come once`);
      flags.set(negated, { text: "false", source: rawName });
      continue;
    }
    if (!isSettingName(name) && !isTokenFlag(name)) throw new SettingsError(`Unknown setting ${rawName}${SEE_HELP}`);
    const place: Map<string, GivenValue> = isTokenFlag(name) ? forToken : flags;
    if (place.has(name)) throw new SettingsError(`${rawName} is given twice`);
    const text = token.value ?? (takesValue(name) ? undefined : "true");
    if (text === undefined) throw new SettingsError(`${rawName} needs a value`);
    place.set(name, { text, source: rawName });
  }
  return { flags, forToken, words, help, switches };
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
