import { backup } from "../operations/backup.js";
import { needOperand, type Command } from "./command.js";
import { print } from "./output.js";

export const BACKUP: Command<{ file: string; withSecrets: boolean }> = {
  name: "backup",
  operand: "FILE",
  flags: { "with-secrets": {} },
  help:
    "copy the whole SQLite database to the new FILE, also while servers run; with the secret and the certificate of the " +
    "data folder if you ask for them",
  details: "See [backup](../guides/backup.md).",
  parse: (given) => ({
    file: needOperand(given, "the name of a new file", "FILE"),
    withSecrets: given.flags.has("with-secrets"),
  }),
  async run({ file, withSecrets }, settings) {
    print(await backup(settings, file, withSecrets));
  },
};
