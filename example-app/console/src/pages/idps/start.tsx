import { Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { DescribedIdp } from "../../api/types.js";
import type { StartProps } from "../../parts/records/kind.js";
import { idpStart } from "../../texts/en/idp-start.js";
import { FromAddress } from "./from-address.js";
import { FromFile } from "./from-file.js";
import { toDraft, withType, type Draft } from "./draft.js";
import type { Vendor } from "./vendors.js";

const WAYS = ["address", "file"] as const;

/** Asks how a new provider comes into the form: read from its metadata, or written by hand. */
export function IdpStart({ onStart }: Readonly<StartProps<Draft>>) {
  const [way, setWay] = useState<(typeof WAYS)[number]>("address");
  const [vendor, setVendor] = useState<Vendor>();
  const fill = (found: DescribedIdp) => {
    const draft = toDraft({ ...found, status: "ACTIVE" });
    const isNamed = draft.name !== new URL(draft.url).host;
    onStart({ ...draft, ...(vendor && !isNamed && { name: vendor.name }) });
  };
  return (
    <Stack gap="lg">
      <SegmentedControl
        aria-label={idpStart.how}
        data={WAYS.map((value) => ({ value, label: idpStart[value] }))}
        value={way}
        onChange={setWay}
        style={{ alignSelf: "flex-start" }}
      />
      {way === "address" ? (
        <FromAddress vendor={vendor} onVendor={setVendor} onRead={fill} />
      ) : (
        <FromFile onRead={fill} />
      )}
      <Group gap="sm">
        <Button
          variant="default"
          onClick={() => {
            onStart(vendor ? { name: vendor.name, ...withType(vendor.type) } : {});
          }}
        >
          {idpStart.byHand}
        </Button>
        <Text size="sm" c="dimmed">
          {idpStart.aboutByHand}
        </Text>
      </Group>
    </Stack>
  );
}
