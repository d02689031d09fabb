import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { exchange, pathOf } from "../../api/http.js";
import type { Idp } from "../../api/types.js";
import { Copy } from "../../parts/copy.js";
import { HelpedFieldset } from "../../parts/helped-fieldset.js";
import { Problem } from "../../parts/problem.js";
import { idpDetails } from "../../texts/en/idp-details.js";

/** The SAML metadata of an identity provider, to view and to download. Everybody may read it. */
export function Metadata({ idp }: Readonly<{ idp: Idp }>) {
  const { id, type, status, _links: links } = idp;
  if (type !== "SAML2") return null;
  if (!links.metadata) {
    return (
      <HelpedFieldset legend={idpDetails.metadata} term="samlMetadata">
        <Text size="sm" c="dimmed">
          {status === "ACTIVE" ? idpDetails.noIssuer : idpDetails.noneOff}
        </Text>
      </HelpedFieldset>
    );
  }
  return <Shown id={id} path={pathOf(links.metadata.href)} />;
}

function Shown({ id, path }: Readonly<{ id: string; path: string }>) {
  const [isOpen, setOpen] = useState(false);
  const { data, error, isLoading } = useQuery({
    queryKey: ["idps", "metadata", id],
    queryFn: async ({ signal }) =>
      (await exchange(new Request(path, { headers: { Accept: "application/xml" }, signal }))).text(),
    enabled: isOpen,
  });
  return (
    <HelpedFieldset legend={idpDetails.metadata} term="samlMetadata">
      <Stack gap="sm">
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-expanded={isOpen}
            loading={isLoading}
            onClick={() => {
              setOpen(!isOpen);
            }}
          >
            {isOpen ? idpDetails.hideMetadata : idpDetails.showMetadata}
          </Button>
          <Button size="xs" variant="default" component="a" href={path} download={`metadata-${id}.xml`}>
            {idpDetails.download}
          </Button>
        </Group>
        <Group gap={4} wrap="nowrap">
          <Text size="xs" className="mono foreign">
            {window.location.origin + path}
          </Text>
          <Copy value={window.location.origin + path} label={idpDetails.copyAddress} />
        </Group>
        {isOpen && error && <Problem error={error} title={idpDetails.notRead} />}
        {isOpen && data !== undefined && (
          <Code
            block
            tabIndex={0}
            mah={320}
            style={{ whiteSpace: "pre-wrap", overflow: "auto", overflowWrap: "anywhere" }}
          >
            {data}
          </Code>
        )}
      </Stack>
    </HelpedFieldset>
  );
}
