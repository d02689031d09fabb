import { Group, Text } from "@mantine/core";
import { useState } from "react";
import type { Idp } from "../../api/types.js";
import { Copy } from "../../parts/copy.js";
import { HelpedFieldset } from "../../parts/helped-fieldset.js";
import { When } from "../../parts/when.js";
import { idpDetails } from "../../texts/en/idp-details.js";
import { idps } from "../../texts/en/idps.js";

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
    <HelpedFieldset legend={idps.certificate} term="fingerprint">
      <Text size="sm">
        {idpDetails.valid({ from: <When key="from" date={validFrom} />, to: <When key="to" date={validTo} /> })}
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
        <Copy value={fingerprint} label={idpDetails.copyFingerprint} />
      </Group>
    </HelpedFieldset>
  );
}

function warningOf(days: number): string {
  if (days < 0) return idpDetails.expired;
  if (days === 0) return idpDetails.expiresToday;
  return idpDetails.expires({ n: days });
}
