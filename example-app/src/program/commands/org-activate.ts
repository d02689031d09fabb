import { activateOrg } from "../operations/orgs.js";
import { needOperand, type Command } from "./command.js";
import { withStore } from "./with-store.js";

export const ORG_ACTIVATE: Command<{ org: string }> = {
  name: "org activate",
  operand: "NAME",
  help: "serve a suspended org again",
  parse: (given) => ({ org: needOperand(given, "the subdomain of an org, such as acme") }),
  run({ org }, settings) {
    return withStore(settings, (store) => activateOrg(store, { org, defaultOrg: settings.defaultOrg }));
  },
};
