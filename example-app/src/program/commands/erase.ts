import { eraseUser, type ErasureRequest } from "../operations/erase.js";
import { needOperand, needOrg, ORG, type Command } from "./command.js";
import { print } from "./output.js";
import { withStore } from "./with-store.js";

export const ERASE: Command<ErasureRequest> = {
  name: "erase",
  operand: "USER",
  flags: { org: ORG },
  help: "delete the user with this login or id, and erase what the System Log tells of the user",
  details: "See [erase a user](../guides/personal-data.md#erase-a-user).",
  parse: (given) => ({ user: needOperand(given, "the login or the id of a user"), org: needOrg(given) }),
  run(request, settings) {
    return withStore(settings, async (store) => {
      print(await eraseUser(store, request));
    });
  },
};
