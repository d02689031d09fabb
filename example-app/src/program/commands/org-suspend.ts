import { suspendOrg } from "../operations/orgs.js";
import { needOperand, type Command } from "./command.js";
import { withStore } from "./with-store.js";

export const ORG_SUSPEND: Command<{ org: string }> = {
  name: "org suspend",
  operand: "NAME",
  help: "stop serving the org with this subdomain",
  details: "See [suspend or remove an org](../guides/orgs.md#suspend-or-remove-an-org).",
  parse: (given) => ({ org: needOperand(given, "the subdomain of an org, such as acme") }),
  run({ org }, settings) {
    return withStore(settings, (store) => suspendOrg(store, { org, defaultOrg: settings.defaultOrg }));
  },
};
