import { compileNamespace } from "etiquette/namespace";
import { formatSummary, importFile, rehearseFile } from "../../transfer/import.js";
import { needOperand, type Command } from "./command.js";
import { print } from "./output.js";
import { withStore } from "./with-store.js";

/** The last line of an import that only says what it would do. */
const DRY_RUN = "This was a dry run: nothing has changed";

export const IMPORT: Command<{ file: string; isDryRun: boolean; prune: boolean; allowFailingTests: boolean }> = {
  name: "import",
  operand: "FILE",
  flags: { "dry-run": {}, prune: {}, "allow-failing-tests": {} },
  help: "add what FILE holds to the database: all of it or nothing; --dry-run only says what would change, --prune removes what its lists leave out, --allow-failing-tests imports although routing tests fail then",
  details: "See [import and export](../guides/import.md).",
  parse: (given) => ({
    file: needOperand(given, "the name of a file", "FILE.json"),
    isDryRun: given.flags.has("dry-run"),
    prune: given.flags.has("prune"),
    allowFailingTests: given.flags.has("allow-failing-tests"),
  }),
  run({ file, isDryRun, ...changes }, settings) {
    return withStore(settings, async (store) => {
      const orgType = compileNamespace("settings", settings.namespace).value;
      const options = { orgType, defaultOrg: settings.defaultOrg, ...changes };
      const findings: string[] = [];
      const onFindings = (lines: readonly string[]) => void findings.push(...lines);
      if (!isDryRun) {
        const summary = formatSummary(await importFile(store, file, { ...options, onFindings }));
        for (const line of [...findings, summary]) print(line);
        return;
      }
      for (const line of [...(await rehearseFile(store, file, options)), DRY_RUN]) print(line);
    });
  },
};
