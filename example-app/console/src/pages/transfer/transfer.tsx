import { Stack } from "@mantine/core";
import { Empty, Page } from "../../parts/page.js";
import { useScope } from "../../session/use-session.js";
import { ExportPanel } from "./export-panel.js";
import { ImportPanel } from "./import-panel.js";

/** The records of the org, from a file and into one. */
export function Transfer() {
  const mayExport = useAllScopes("read");
  const mayImport = useAllScopes("manage");
  return (
    <Page title="Import and export" about="Bring the records of this org from a file, or take them into one.">
      <Stack gap="lg">
        {mayImport && <ImportPanel />}
        {mayExport && <ExportPanel />}
        {!mayExport && (
          <Empty title="The token may not export">
            It needs the scopes to read policies, identity providers, zones, trusted origins and users.
          </Empty>
        )}
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
