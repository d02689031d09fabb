import { restore } from "../operations/backup.js";
import { needOperand, type Command } from "./command.js";
import { print } from "./output.js";

export const RESTORE: Command<{ file: string }> = {
  name: "restore",
  operand: "FILE",
  help: "make the database of a data folder, which must have none, from a backup",
  details: "See [backup](../guides/backup.md#restore).",
  parse: (given) => ({ file: needOperand(given, "the name of a backup", "FILE") }),
  async run({ file }, settings) {
    print(await restore(settings, file));
  },
};
