import { revokeToken } from "../operations/tokens.js";
import { needOperand, needOrg, ORG, type Command } from "./command.js";
import { withStore } from "./with-store.js";

export const TOKEN_REVOKE: Command<{ id: string; org: string }> = {
  name: "token revoke",
  operand: "ID",
  flags: { org: ORG },
  help: "revoke the token that has this id in the list",
  details: "See [list and revoke tokens](api/authentication.md#list-and-revoke-tokens).",
  parse: (given) => ({ id: needOperand(given, "the id of a token, which token list shows"), org: needOrg(given) }),
  run({ id, org }, settings) {
    return withStore(settings, (store) => revokeToken(store, org, id));
  },
};
