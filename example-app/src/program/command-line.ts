import { parseArgs } from "node:util";
import { formatUsage, type Command, type Flag } from "./commands/command.js";
import { COMMANDS, FLAGS } from "./commands/index.js";
import { print } from "./commands/output.js";
import { formatHelp } from "./help.js";
import { isSettingName, SETTING_NAMES, SETTINGS, type SettingName } from "./settings/index.js";
import { readSettings, type ReadSettings } from "./settings/read.js";
import type { SettingFacts } from "./settings/setting.js";
import { SettingsError, type GivenValue, type Settings } from "./settings/settings.js";

/** A parsed command line. */
export interface CommandLine {
  /** The name of the command, or `help`. */
  readonly name: string;
  /** What the command does with the settings. */
  readonly request?: unknown;
  /** Absent for `help`. */
  readonly settings?: Settings;
  readonly run: () => Promise<void>;
}

const HELP: CommandLine = {
  name: "help",
  run: () => {
    print(formatHelp());
    return Promise.resolve();
  },
};

/** `--no-demo` is the same as `--demo=false`. */
const NEGATIONS: ReadonlyMap<string, SettingName> = new Map(
  SETTING_NAMES.filter((name) => (SETTINGS[name] as SettingFacts).negatable).map((name) => [`no-${name}`, name]),
);

const SEE_HELP = "; --help lists what there is";

const LIST = new Intl.ListFormat("en-GB");

/**
 * Read the command and the settings, see {@link readSettings}.
 *
 * @param args without the program's own name
 * @throws {SettingsError} for the first argument or variable that is unknown, repeated, without a value or invalid
 */
export function parseCommandLine(args: readonly string[], env: Readonly<NodeJS.ProcessEnv>): CommandLine {
  const { given, flags, words, isHelp } = parseArguments(args);
  if (isHelp) return HELP;
  const read = (): ReadSettings => readSettings(given, env);
  const { given: all, settings } = read();
  const command = findCommand(words);
  for (const [flag, { source }] of flags) {
    if (Object.hasOwn(command.flags ?? {}, flag)) continue;
    const takers = COMMANDS.filter((other) => other.flags && Object.hasOwn(other.flags, flag)).map(({ name }) => name);
    throw new SettingsError(`${source} is for ${LIST.format(takers)} only`);
  }
  const { name } = command;
  const operands = command.isDefault ? words : words.slice(name.split(" ").length);
  const [extra] = command.operand === undefined ? operands : operands.slice(1);
  if (extra !== undefined) throw new SettingsError(`Unexpected argument ${JSON.stringify(extra)}${SEE_HELP}`);
  const request = command.parse({ name, operand: operands[0], flags, given: all, read }, settings);
  return { name, request, settings, run: () => command.run(request, settings) };
}

function findCommand(words: readonly string[]): Command {
  const [first] = words;
  const found = COMMANDS.find(({ name, isDefault }) =>
    isDefault ? first === undefined : name.split(" ").every((word, i) => word === words[i]),
  );
  if (found) return found;
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) throw new SettingsError(`Unknown command ${JSON.stringify(first)}${SEE_HELP}`);
  const actions = LIST.format(group.map(({ name }) => name.slice(`${first} `.length)));
  const [shortest] = group.map(formatUsage).sort((a, b) => a.length - b.length);
  throw new SettingsError(`${first} needs one of the words ${actions}, such as ${shortest}`);
}

interface Arguments {
  /** Settings. */
  given: Map<SettingName, GivenValue>;
  /** The flags of commands. */
  flags: Map<string, GivenValue>;
  words: string[];
  isHelp: boolean;
}

/**
 * Characters of an argument that begins with one hyphen, which `parseArgs` reads as many flags. Longer than any path, and shorter than
 * what takes it long: seconds for 100,000.
 */
const MAX_SHORT_FLAGS = 4_096;

const FACTS: Readonly<Record<string, Flag>> = { ...FLAGS, ...SETTINGS };

const OPTIONS = Object.fromEntries(
  Object.entries(FACTS).map(([name, { placeholder }]) => [
    name,
    { type: placeholder === undefined ? ("boolean" as const) : ("string" as const) },
  ]),
);

/** Not strict, because the messages of node:util have several lines and advice that doesn't apply here. */
function parseArguments(args: readonly string[]): Arguments {
  const long = args.find((arg) => arg.length > MAX_SHORT_FLAGS && /^-[^-]/.test(arg));
  if (long !== undefined) throw new SettingsError(`Unknown setting ${long.slice(0, 2)}${SEE_HELP}`);
  const { tokens } = parseArgs({ args: [...args], options: OPTIONS, strict: false, tokens: true });
  const result: Arguments = { given: new Map(), flags: new Map(), words: [], isHelp: false };
  for (const token of tokens) {
    if (token.kind === "positional") result.words.push(token.value);
    if (token.kind !== "option") continue;
    if (token.name === "help") result.isHelp = true;
    else addOption(result, token);
  }
  return result;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

function addOption({ given, flags }: Arguments, { name, rawName, value }: OptionToken): void {
  const negated = NEGATIONS.get(name);
  if (negated !== undefined && value === undefined) {
    if (given.has(negated)) throw new SettingsError(`${rawName} and --${negated} exclude each other, and come once`);
    given.set(negated, { text: "false", source: rawName });
    return;
  }
  const facts = Object.hasOwn(FACTS, name) ? FACTS[name] : undefined;
  if (!facts) throw new SettingsError(`Unknown setting ${rawName}${SEE_HELP}`);
  const isSwitch = facts.placeholder === undefined;
  const text = value ?? (isSwitch ? "true" : undefined);
  const place: Map<string, GivenValue> = isSettingName(name) ? given : flags;
  if (place === flags && isSwitch && value !== undefined) throw new SettingsError(`${rawName} takes no value`);
  if (place.has(name)) throw new SettingsError(`${rawName} is given twice`);
  if (text === undefined) throw new SettingsError(`${rawName} needs a value`);
  place.set(name, { text, source: rawName });
}
