import { Fieldset, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { Idp } from "../../api/types.js";
import { Copy } from "../../parts/copy.js";
import { When } from "../../parts/when.js";

/** The server warns so many days before. */
const WARNING_DAYS = 30;
const DAY_MS = 86_400_000;

/** When the certificate of an identity provider expires. */
export function Certificate({ idp: { certificate } }: Readonly<{ idp: Idp }>) {
  const [opened] = useState(() => Date.now());
  if (certificate === undefined) return null;
  const { validFrom, validTo, fingerprint } = certificate;
  const days = Math.floor((Date.parse(validTo) - opened) / DAY_MS);
  return (
    <Fieldset legend="Certificate">
      <Text size="sm">
        Valid from <When date={validFrom} /> to <When date={validTo} />
      </Text>
      {days < WARNING_DAYS && (
        <Text size="sm" c={days < 0 ? "red" : "orange"} fw={600}>
          {warningOf(days)}
        </Text>
      )}
      <Group gap={4} wrap="nowrap">
        <Text size="xs" className="mono foreign">
          SHA-256 {fingerprint}
        </Text>
        <Copy value={fingerprint} label="Copy the fingerprint of the certificate" />
      </Group>
    </Fieldset>
  );
}

function warningOf(days: number): string {
  if (days < 0) return "It has expired: applications refuse what this provider signs.";
  if (days === 0) return "It expires within a day.";
  return `It expires in ${days} ${days === 1 ? "day" : "days"}.`;
}
