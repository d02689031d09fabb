import { Button, Group, Stack, Text } from "@mantine/core";
import type { Idp } from "../../api/types.js";
import { Copy } from "../../parts/copy.js";
import { Help, type Term } from "../../parts/help.js";
import { HelpedFieldset } from "../../parts/helped-fieldset.js";
import { useSession } from "../../session/use-session.js";
import { idpDetails } from "../../texts/en/idp-details.js";
import { idps } from "../../texts/en/idps.js";

/** What the provider's administrator and applications need of this server, and a way to see where it sends people. */
export function ForOthers({ idp }: Readonly<{ idp: Idp }>) {
  const { baseUrl, namespace } = useSession();
  const { id, status, protocol } = idp;
  const { issuer, audience } = protocol.credentials?.trust ?? {};
  const isOidc = protocol.type === "OIDC" && issuer !== undefined;
  return (
    <HelpedFieldset legend={idpDetails.forOthers} term="forOthers">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {idpDetails.aboutOthers}
        </Text>
        {audience !== undefined && <Value label={idps.audience} value={audience} />}
        {status === "ACTIVE" && isOidc && (
          <Value label={idpDetails.initiate} term="initiateLogin" value={`${baseUrl}/sso`} />
        )}
        <Value label={idpDetails.webfinger} term="webfinger" value={`${baseUrl}/.well-known/webfinger`} />
        <Value label={idpDetails.rel} term="rel" value={`${namespace}:idp`} />
        {status === "ACTIVE" ? (
          <>
            <Value label={idpDetails.link} term="ssoLink" value={`${baseUrl}/sso/idps/${id}`} />
            <TestSignOn idp={idp} />
          </>
        ) : (
          <Text size="sm">{idpDetails.off}</Text>
        )}
      </Stack>
    </HelpedFieldset>
  );
}

function Value({ label, term, value }: Readonly<{ label: string; term?: Term; value: string }>) {
  return (
    <div>
      <div className="helped">
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        {term && <Help term={term} name={label} />}
      </div>
      <Group gap={4} wrap="nowrap">
        <Text size="xs" className="mono foreign">
          {value}
        </Text>
        <Copy value={value} label={idpDetails.copy({ label })} />
      </Group>
    </div>
  );
}

function TestSignOn({ idp: { id, protocol } }: Readonly<{ idp: Idp }>) {
  return (
    <Group gap="sm">
      <Button size="xs" variant="default" component="a" href={`/sso/idps/${id}`} target="_blank" rel="noreferrer">
        {idpDetails.test}
      </Button>
      <Text size="sm" c="dimmed" flex="1 1 240px">
        {protocol.type === "SAML2" ? idpDetails.testSaml : idpDetails.testOther}
      </Text>
    </Group>
  );
}
