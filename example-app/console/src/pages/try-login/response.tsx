import { Box, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { Trace } from "../../api/types.js";
import { Copy } from "../../parts/copy.js";
import { describePlatformEntry } from "../../parts/describe-rule.js";
import { useSession } from "../../session/use-session.js";

/** What an application gets that asks over WebFinger, and how to ask from a shell. */
export function Response({ trace }: Readonly<{ trace: Trace }>) {
  const { baseUrl } = useSession();
  const url = `${baseUrl}/.well-known/webfinger?resource=${encodeURIComponent(trace.resource).replaceAll("%3A", ":")}`;
  const answer = JSON.stringify({ subject: trace.resource, links: trace.links }, null, 2);
  return (
    <Stack gap="lg">
      <Paper withBorder p="lg">
        <Heading title="Ask from a shell" copied={`curl ${quote(url)}`} label="Copy the command" />
        <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {`curl ${quote(url)}`}
        </Code>
        <Text size="xs" c="dimmed" mt={6}>
          With the certificate that the server generates, add{" "}
          <Code style={{ whiteSpace: "nowrap" }}>--cacert data/tls.crt</Code>.
        </Text>
      </Paper>
      <Paper withBorder p="lg">
        <Heading title="WebFinger response" copied={answer} label="Copy the response" />
        <Code
          block
          data-testid="webfinger"
          mah={320}
          style={{ overflow: "auto" }}
          tabIndex={0}
          role="region"
          aria-label="WebFinger response"
        >
          {answer}
        </Code>
      </Paper>
      <Paper withBorder p="lg">
        <Title order={2} size="h5" mb="xs">
          The client
        </Title>
        <Facts
          facts={[
            ["Address", trace.client.ipAddress ?? "unknown"],
            ["Zones", trace.client.zones.map(({ name }) => name).join(", ") || "none"],
            [
              "Device",
              describePlatformEntry({ type: trace.client.platform.type, os: { type: trace.client.platform.os } }),
            ],
          ]}
        />
      </Paper>
    </Stack>
  );
}

function Heading({ title, copied, label }: Readonly<{ title: string; copied: string; label: string }>) {
  return (
    <Group justify="space-between" mb="xs">
      <Title order={2} size="h5">
        {title}
      </Title>
      <Copy value={copied} label={label} />
    </Group>
  );
}

function Facts({ facts }: Readonly<{ facts: readonly (readonly [name: string, value: string])[] }>) {
  return (
    <Box component="dl" m={0}>
      {facts.map(([name, value]) => (
        <Group key={name} gap="sm" align="baseline" wrap="nowrap">
          <Text component="dt" size="sm" c="dimmed" w={70} style={{ flexShrink: 0 }}>
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} className="foreign">
            {value}
          </Text>
        </Group>
      ))}
    </Box>
  );
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
