import { defineTexts } from "../define.js";

/** The columns of the System Log as a table. */
export const logCsv = defineTexts("logCsv", {
  time: "time",
  severity: "severity",
  type: "type",
  sentence: "sentence",
  actor: "actor",
  actorId: "actor id",
  targets: "targets",
  address: "address",
  outcome: "outcome",
  reason: "reason",
  requestId: "request id",
});
