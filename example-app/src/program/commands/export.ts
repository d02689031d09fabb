import { compileNamespace } from "etiquette/namespace";
import { recordInLogs } from "../../audit/command-events.js";
import { exportAll } from "../../transfer/export.js";
import { findOrg } from "../operations/tokens.js";
import { replaceFile } from "../../disk/files.js";
import { ORG, type Command } from "./command.js";
import { withStore } from "./with-store.js";

interface ExportRequest {
  /** `undefined` for the standard output. */
  readonly file: string | undefined;
  /** Subdomain of the one org to export; `undefined` for all. */
  readonly org: string | undefined;
  readonly pseudonymize: boolean;
}

export const EXPORT: Command<ExportRequest> = {
  name: "export",
  operand: "[FILE]",
  flags: { org: { ...ORG, optional: true }, pseudonymize: {} },
  help:
    "write what the database holds, of all orgs or of one, to FILE or the standard output; with pseudonyms in place of " +
    "what identifies users if you ask for them",
  details: "Only its owner can read FILE. See [pseudonyms](../guides/personal-data.md#export-with-pseudonyms).",
  parse: ({ operand, flags }) => ({
    file: operand,
    org: flags.get("org")?.text,
    pseudonymize: flags.has("pseudonymize"),
  }),
  run({ file, org, pseudonymize }, settings) {
    return withStore(settings, async (store) => {
      const orgType = compileNamespace("settings", settings.namespace).value;
      const orgId = org === undefined ? undefined : (await findOrg(store, org)).id;
      const text = await exportAll(store, { orgType, orgId, pseudonymize });
      await recordInLogs(store, "export", orgId);
      if (file === undefined) process.stdout.write(text);
      else await replaceFile(file, text);
    });
  },
};
