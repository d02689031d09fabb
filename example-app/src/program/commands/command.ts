import { formatStart } from "../start-command.js";
import type { ReadSettings } from "../settings/read.js";
import { SettingsError, type GivenValue, type Settings } from "../settings/settings.js";

/** A flag that only some commands have. One without a placeholder is a switch. */
export interface Flag {
  /** The name of the value in the help. */
  readonly placeholder?: string;
  /** Whether the command works without it. Switches always are optional. */
  readonly optional?: true;
  /** One line of `--help`. The help of the command explains its switches. */
  readonly help?: string;
}

/** What a command line has beside the settings. */
export interface Given {
  /** The name of the command. */
  readonly name: string;
  readonly operand: string | undefined;
  /** By the name of the flag, without the dashes. */
  readonly flags: ReadonlyMap<string, GivenValue>;
  /** The settings that have another value than their default, or the same one explicitly. */
  readonly given: ReadSettings["given"];
  /** Read the settings again, such as after their file has changed. */
  readonly read: () => ReadSettings;
}

/** A command: how it is written, and what it does. */
export interface Command<Request = unknown> {
  /** The words that select it: `token create`. */
  readonly name: string;
  /** Whether it runs when no word is given. Then its name is for messages only. */
  readonly isDefault?: true;
  /** The name of the operand in the help: `FILE`, or `[FILE]` if the command works without. */
  readonly operand?: string;
  readonly flags?: Readonly<Record<string, Flag>>;
  /** Whether its output is for programs, so that npm must not add lines. */
  readonly isSilent?: true;
  /** What it does, without a full stop. */
  readonly help: string;
  /** Sentences that only the page has, in Markdown; links begin in `docs/reference/`. */
  readonly details?: string;
  /** @throws {SettingsError} for the first operand or flag that is missing or invalid, with the accepted values */
  parse(given: Given, settings: Settings): Request;
  run(request: Request, settings: Settings): Promise<void>;
}

/** The flag of the commands on one org. */
export const ORG = { placeholder: "NAME", help: "subdomain of the org; required, except by export" } as const;

/** @throws {SettingsError} when `--org` is missing */
export function needOrg({ name, flags }: Given): string {
  const org = flags.get("org")?.text;
  if (org === undefined) throw new SettingsError(`${name} needs the subdomain of an org, such as --org demo`);
  return org;
}

/**
 * @param what completes "import needs"
 * @param example what one writes in its place, if that helps
 * @throws {SettingsError} when the operand is missing
 */
export function needOperand({ name, operand }: Given, what: string, example?: string): string {
  if (operand !== undefined) return operand;
  const call = example === undefined ? "" : `: ${formatStart(`${name} ${example}`)}`;
  throw new SettingsError(`${name} needs ${what}${call}`);
}

/** How the command is written, without the program: `token revoke ID --org NAME`. */
export function formatUsage({ name, isDefault, operand, flags = {} }: Command): string {
  const words = isDefault ? [] : [name];
  if (operand !== undefined) words.push(operand);
  const optional: string[] = [];
  for (const [flag, facts] of Object.entries(flags)) {
    const text = facts.placeholder === undefined ? `--${flag}` : `--${flag} ${facts.placeholder}`;
    if (facts.placeholder === undefined || facts.optional) optional.push(`[${text}]`);
    else words.push(text);
  }
  return [...words, ...(optional.length > MAX_OPTIONAL ? ["[flags]"] : optional)].join(" ");
}

/** More are `[flags]`, which the help lists below. */
const MAX_OPTIONAL = 2;

/** How the command is started: `npm start -- token revoke ID --org NAME`. */
export function formatCall(command: Command): string {
  return formatStart(formatUsage(command), command.isSilent);
}
