import { SettingsError } from "../settings/settings.js";

/** A parsed command on orgs. */
export type OrgCommand =
  | { readonly name: "org list" }
  | { readonly name: "org suspend" | "org activate"; readonly org: string }
  | {
      readonly name: "org remove";
      readonly org: string;
      /** Whether to remove without asking. */
      readonly isConfirmed: boolean;
      /** Only say what would be removed. */
      readonly isDryRun: boolean;
    };

/** The flags of `org remove`, without their dashes. */
export const ORG_SWITCHES = ["yes", "dry-run"] as const;

/**
 * Parse a command on orgs.
 *
 * @param words what follows the word `org`
 * @param switches those that were given
 * @throws {SettingsError} for the first word or flag that is missing or invalid, with the accepted values
 */
export function parseOrgCommand(words: readonly string[], switches: ReadonlySet<string>): OrgCommand {
  const [action, ...operands] = words;
  const org = action === "list" ? "" : operands.shift();
  const [extra] = operands;
  if (action !== "list" && action !== "suspend" && action !== "activate" && action !== "remove") {
    throw new SettingsError("org needs one of the words list, suspend, activate and remove, such as org list");
  }
  if (extra !== undefined) throw new SettingsError(`Unexpected argument ${JSON.stringify(extra)}`);
  if (org === undefined) throw new SettingsError(`org ${action} needs the subdomain of an org, such as acme`);
  if (action === "remove") {
    return { name: "org remove", org, isConfirmed: switches.has("yes"), isDryRun: switches.has("dry-run") };
  }
  const [stray] = switches;
  if (stray !== undefined) throw new SettingsError(`--${stray} is for org remove only`);
  return action === "list" ? { name: "org list" } : { name: `org ${action}`, org };
}
