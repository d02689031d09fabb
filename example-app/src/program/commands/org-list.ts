import { formatOrgs } from "../operations/orgs.js";
import type { Command } from "./command.js";
import { print } from "./output.js";
import { withStore } from "./with-store.js";

export const ORG_LIST: Command<undefined> = {
  name: "org list",
  isSilent: true,
  help: "list the orgs with their status",
  parse: () => undefined,
  run(_, settings) {
    return withStore(settings, async (store) => {
      print(await formatOrgs(store));
    });
  },
};
