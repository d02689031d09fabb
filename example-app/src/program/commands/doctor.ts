import { assertHealthy, examine, formatFindings } from "../doctor/doctor.js";
import type { Command, Given } from "./command.js";
import { print } from "./output.js";

export const DOCTOR: Command<{ asJson: boolean } & Pick<Given, "given">> = {
  name: "doctor",
  flags: { json: {} },
  isSilent: true,
  help: "check what a server with these settings depends on, say what to mend, and change nothing",
  details: "See [doctor](../guides/monitoring.md#doctor).",
  parse: ({ flags, given }) => ({ asJson: flags.has("json"), given }),
  async run({ asJson, given }, settings) {
    const findings = await examine(settings, given);
    print(asJson ? JSON.stringify(findings, null, 2) : formatFindings(findings));
    assertHealthy(findings);
  },
};
