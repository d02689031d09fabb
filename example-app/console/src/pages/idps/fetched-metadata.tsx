import { Fieldset, Text } from "@mantine/core";
import type { Idp } from "../../api/types.js";
import { When } from "../../parts/when.js";

/** When the server fetched what the provider publishes, and why the last attempt failed. */
export function FetchedMetadata({ idp: { metadata } }: Readonly<{ idp: Idp }>) {
  if (!metadata) return null;
  return (
    <Fieldset legend="Metadata of the provider">
      <Text size="sm">
        Refreshed: <When date={metadata.lastRefreshed} />
      </Text>
      {metadata.lastError !== null && (
        <Text size="sm" c="red">
          The last attempt failed: {metadata.lastError}
        </Text>
      )}
    </Fieldset>
  );
}
