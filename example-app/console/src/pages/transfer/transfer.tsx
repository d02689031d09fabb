import { Stack } from "@mantine/core";
import { Empty, Page } from "../../parts/page.js";
import { useScope } from "../../session/use-session.js";
import { ExportPanel } from "./export-panel.js";
import { ImportPanel } from "./import-panel.js";
import { pages } from "../../texts/en/pages.js";
import { transfer } from "../../texts/en/transfer.js";

/** The records of the org, from a file and into one. */
export function Transfer() {
  const mayExport = useAllScopes("read");
  const mayImport = useAllScopes("manage");
  return (
    <Page title={pages.transfer} help="transfer" about={transfer.about}>
      <Stack gap="lg">
        {mayImport && <ImportPanel />}
        {mayExport && <ExportPanel />}
        {!mayExport && <Empty title={transfer.mayNotExport}>{transfer.neededScopes}</Empty>}
      </Stack>
    </Page>
  );
}

function useAllScopes(right: "read" | "manage"): boolean {
  const policies = useScope(`policies.${right}`);
  const idps = useScope(`idps.${right}`);
  const zones = useScope(`zones.${right}`);
  const origins = useScope(`trustedOrigins.${right}`);
  const users = useScope(`users.${right}`);
  return policies && idps && zones && origins && users;
}
