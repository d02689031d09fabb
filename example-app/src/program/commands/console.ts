import { createLink } from "../operations/console-link.js";
import { needOrg, ORG, type Command } from "./command.js";
import { print } from "./output.js";
import { withStore } from "./with-store.js";

export const CONSOLE: Command<{ org: string }> = {
  name: "console",
  flags: { org: ORG },
  isSilent: true,
  help: "print a link that opens the console of the org signed in, once, within ten minutes",
  details: "See [console](../guides/console.md).",
  parse: (given) => ({ org: needOrg(given) }),
  run({ org }, settings) {
    return withStore(settings, async (store) => {
      print(await createLink(store, org, settings));
    });
  },
};
