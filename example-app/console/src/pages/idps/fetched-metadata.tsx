import { Button, Group, Text } from "@mantine/core";
import { answerOf, api } from "../../api/client.js";
import type { Idp } from "../../api/types.js";
import { HelpedFieldset } from "../../parts/helped-fieldset.js";
import { Refusal } from "../../parts/refusal.js";
import { ServerText } from "../../parts/server-text.js";
import { useAllowedWrite } from "../../parts/use-allowed-write.js";
import { When } from "../../parts/when.js";
import { useScope } from "../../session/use-session.js";
import { idpDetails } from "../../texts/en/idp-details.js";

/** When the server fetched what the provider publishes, why the last attempt failed, and a button to fetch it now. */
export function FetchedMetadata({ idp }: Readonly<{ idp: Idp }>) {
  const mayRefresh = useScope("idps.manage");
  const refresh = useRefresh(idp);
  const { metadata } = idp;
  if (!metadata) return null;
  return (
    <HelpedFieldset legend={idpDetails.fetched} term="fetchedMetadata">
      <Text size="sm">{idpDetails.refreshed({ date: <When key="date" date={metadata.lastRefreshed} /> })}</Text>
      {metadata.lastError !== null && !refresh.error && (
        <Text size="sm" c="red">
          {idpDetails.failed({ error: <ServerText key="error" text={metadata.lastError} /> })}
        </Text>
      )}
      {mayRefresh && (
        <Group gap="sm" mt="xs">
          <Button
            size="xs"
            variant="default"
            loading={refresh.isPending}
            onClick={() => {
              refresh.mutate(undefined);
            }}
          >
            {idpDetails.refresh}
          </Button>
          <Refusal writing={refresh} title={idpDetails.notRefreshed} />
        </Group>
      )}
    </HelpedFieldset>
  );
}

/** Fetches the metadata. What has changed is told, and shown by the form, which is read again. */
function useRefresh({ id, name, lastUpdated }: Idp) {
  return useAllowedWrite(async () => {
    const path = "/api/v1/idps/{id}/lifecycle/refresh_metadata";
    const { data } = await answerOf(api.POST(path, { params: { path: { id } } }));
    if (data.lastUpdated === lastUpdated) return { text: idpDetails.unchanged({ name }) };
    return { text: idpDetails.tookOver({ name }), id };
  }, ["idps", "edited"]);
}
