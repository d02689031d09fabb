import { createInterface } from "node:readline/promises";
import { escapeLines } from "../../model/visible-text.js";
import { describeContent, OrgError, removeOrg } from "../operations/orgs.js";
import { SettingsError } from "../settings/settings.js";
import { needOperand, type Command } from "./command.js";
import { print } from "./output.js";
import { withStore } from "./with-store.js";

interface RemovalRequest {
  readonly org: string;
  /** Only say what would be removed. */
  readonly isDryRun: boolean;
  /** Whether to remove without asking. */
  readonly isConfirmed: boolean;
}

export const ORG_REMOVE: Command<RemovalRequest> = {
  name: "org remove",
  operand: "NAME",
  flags: { "dry-run": {}, yes: {} },
  help:
    "remove the org with all its data, after asking for its name; --yes doesn't ask, --dry-run only says what would be " +
    "removed",
  details: "See [suspend or remove an org](../guides/orgs.md#suspend-or-remove-an-org).",
  parse: (given) => ({
    org: needOperand(given, "the subdomain of an org, such as acme"),
    isDryRun: given.flags.has("dry-run"),
    isConfirmed: given.flags.has("yes"),
  }),
  run({ org, isDryRun, isConfirmed }, settings) {
    return withStore(settings, async (store) => {
      const request = { org, defaultOrg: settings.defaultOrg };
      const content = await describeContent(store, request);
      if (isDryRun) {
        print(`This would be removed:\n${content}`);
        return;
      }
      if (!isConfirmed) await confirm(content, org);
      await removeOrg(store, request);
      print(`Removed:\n${content}`);
    });
  },
};

/** Ask for the name of the org on the terminal. */
async function confirm(content: string, org: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new SettingsError("org remove needs --yes where it can't ask; --dry-run shows what it would remove");
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(
    `${escapeLines(content)}\nThis can't be undone. Type ${org} to remove all of it: `,
  );
  terminal.close();
  if (answer.trim() !== org) throw new OrgError("Nothing was removed");
}
