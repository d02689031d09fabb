import { COMMANDS, FLAGS } from "./commands/index.js";
import { formatCall, type Command } from "./commands/command.js";
import { SETTING_NAMES, SETTINGS, variableOf } from "./settings/index.js";
import type { SettingFacts } from "./settings/setting.js";

/** Columns before the text of a command, and of a flag. */
const COMMAND_COLUMN = 46;
const FLAG_COLUMN = 30;

/** Columns of a line. */
const WIDTH = 120;

/** The output of `--help`. */
export function formatHelp(): string {
  const settings = SETTING_NAMES.flatMap((name) => {
    const { placeholder, fallback, help }: SettingFacts = SETTINGS[name];
    const suffix = fallback === undefined ? "" : `, default ${fallback}`;
    return [formatFlag(name, placeholder, help), " ".repeat(FLAG_COLUMN) + variableOf(name) + suffix];
  });
  const flags = Object.entries(FLAGS).flatMap(([name, { placeholder, help }]) =>
    help === undefined ? [] : [formatFlag(name, placeholder, help)],
  );
  return [
    ...COMMANDS.flatMap(formatCommand),
    "",
    "Flags of the commands on one org; all but --org are for token create only:",
    ...flags,
    "",
    "Settings, each with its environment variable; a flag overrides the variable:",
    ...settings,
  ].join("\n");
}

function formatCommand(command: Command, index: number): string[] {
  const call = `${index === 0 ? "Usage: " : "       "}${formatCall(command)} [settings]`;
  const lines = wrap(command.help, WIDTH - COMMAND_COLUMN).map((line) => " ".repeat(COMMAND_COLUMN) + line);
  if (call.length > COMMAND_COLUMN - 2) return [call, ...lines];
  return [call.padEnd(COMMAND_COLUMN) + (lines[0] ?? "").trimStart(), ...lines.slice(1)];
}

function formatFlag(name: string, placeholder: string | undefined, help: string): string {
  const flag = placeholder === undefined ? `  --${name}` : `  --${name} ${placeholder}`;
  return `${flag.padEnd(FLAG_COLUMN - 1)} ${help}`;
}

/** Lines of at most `width` characters. */
function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
