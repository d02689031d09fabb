import { Button, Code, Fieldset, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { exchange, pathOf } from "../../api/http.js";
import type { Idp } from "../../api/types.js";
import { Copy } from "../../parts/copy.js";
import { Problem } from "../../parts/problem.js";

/** The SAML metadata of an identity provider, to view and to download. Everybody may read it. */
export function Metadata({ idp }: Readonly<{ idp: Idp }>) {
  const { id, type, status, _links: links } = idp;
  if (type !== "SAML2") return null;
  if (!links.metadata) {
    return (
      <Fieldset legend="Metadata">
        <Text size="sm" c="dimmed">
          {status === "ACTIVE"
            ? "There is none without an issuer."
            : "There is none while the identity provider is off."}
        </Text>
      </Fieldset>
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
    <Fieldset legend="Metadata">
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
            {isOpen ? "Hide the metadata" : "Show the metadata"}
          </Button>
          <Button size="xs" variant="default" component="a" href={path} download={`metadata-${id}.xml`}>
            Download the metadata
          </Button>
        </Group>
        <Group gap={4} wrap="nowrap">
          <Text size="xs" className="mono foreign">
            {window.location.origin + path}
          </Text>
          <Copy value={window.location.origin + path} label="Copy the address of the metadata" />
        </Group>
        {isOpen && error && <Problem error={error} title="The metadata was not read" />}
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
    </Fieldset>
  );
}
