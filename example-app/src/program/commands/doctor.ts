import { assertHealthy, examine, formatFindings } from "../doctor/doctor.js";
import type { Command } from "./command.js";
import { print } from "./output.js";

export const DOCTOR: Command<{ asJson: boolean }> = {
  name: "doctor",
  flags: { json: {} },
  isSilent: true,
  help: "check what a server with these settings depends on, say what to mend, and change nothing",
  details: "See [doctor](../guides/monitoring.md#doctor).",
  parse: ({ flags }) => ({ asJson: flags.has("json") }),
  async run({ asJson }, settings) {
    const findings = await examine(settings);
    print(asJson ? JSON.stringify(findings, null, 2) : formatFindings(findings));
    assertHealthy(findings);
  },
};
