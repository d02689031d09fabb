import { scopePrefix } from "../../model/scopes.js";
import { formatTokens } from "../operations/tokens.js";
import { needOrg, ORG, type Command } from "./command.js";
import { print } from "./output.js";
import { withStore } from "./with-store.js";

export const TOKEN_LIST: Command<{ org: string }> = {
  name: "token list",
  flags: { org: ORG },
  isSilent: true,
  help: "list the API tokens of the org, but not their secrets",
  parse: (given) => ({ org: needOrg(given) }),
  run({ org }, settings) {
    return withStore(settings, async (store) => {
      print(await formatTokens(store, org, scopePrefix(settings.namespace)));
    });
  },
};
