import { defineTexts } from "../define.js";

/** Records from a file and into one. */
export const transfer = defineTexts("transfer", {
  about: "Bring the records of this org from a file, or take them into one.",
  mayNotExport: "The token may not export",
  neededScopes: "It needs the scopes to read policies, identity providers, zones, trusted origins and users.",
  export: "Export",
  exportAbout:
    "A file with the identity providers, zones, trusted origins, rules and users. It has no tokens and no log.",
  withUsers: "With the users",
  personal: "They are personal data: keep the file safe.",
  exportNow: "Export",
  exporting: "Exporting",
  exportFailed: "Nothing was exported",
  exportCancelled: "Cancelled.",
  exported: "{name} has {bytes} bytes.",
  workingFor: { one: "{what}, for {n} seconds", other: "{what}, for {n} seconds" },
});
