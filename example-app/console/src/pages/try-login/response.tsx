import { Box, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { Trace } from "../../api/types.js";
import { Copy } from "../../parts/copy.js";
import { describePlatformEntry } from "../../parts/describe-rule.js";
import { Help, type Term } from "../../parts/help.js";
import { useSession } from "../../session/use-session.js";
import { tryConditions as texts } from "../../texts/en/try-conditions.js";

/** What an application gets that asks over WebFinger, and how to ask from a shell. */
export function Response({ trace }: Readonly<{ trace: Trace }>) {
  const { baseUrl } = useSession();
  const url = `${baseUrl}/.well-known/webfinger?resource=${encodeURIComponent(trace.resource).replaceAll("%3A", ":")}`;
  const answer = JSON.stringify({ subject: trace.resource, links: trace.links }, null, 2);
  return (
    <Stack gap="lg">
      <Paper withBorder p="lg">
        <Heading title={texts.ask} copied={`curl ${quote(url)}`} label={texts.copyCommand} />
        <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {`curl ${quote(url)}`}
        </Code>
        <Text size="xs" c="dimmed" mt={6}>
          {texts.certificate({
            option: (
              <Code key="option" style={{ whiteSpace: "nowrap" }}>
                --cacert data/tls.crt
              </Code>
            ),
          })}
        </Text>
      </Paper>
      <Paper withBorder p="lg">
        <Heading title={texts.response} term="webfinger" copied={answer} label={texts.copyResponse} />
        <Code
          block
          data-testid="webfinger"
          mah={320}
          style={{ overflow: "auto" }}
          tabIndex={0}
          role="region"
          aria-label={texts.response}
        >
          {answer}
        </Code>
      </Paper>
      <Paper withBorder p="lg">
        <Title order={2} size="h5" mb="xs">
          {texts.client}
        </Title>
        <Facts
          facts={[
            [texts.address, trace.client.ipAddress ?? texts.unknown],
            [texts.zones, trace.client.zones.map(({ name }) => name).join(texts.comma) || texts.none],
            [
              texts.device,
              describePlatformEntry({ type: trace.client.platform.type, os: { type: trace.client.platform.os } }),
            ],
          ]}
        />
      </Paper>
    </Stack>
  );
}

interface HeadingProps {
  title: string;
  term?: Term;
  copied: string;
  label: string;
}

function Heading({ title, term, copied, label }: Readonly<HeadingProps>) {
  return (
    <Group justify="space-between" mb="xs">
      <div className="helped">
        <Title order={2} size="h5">
          {title}
        </Title>
        {term && <Help term={term} name={title} />}
      </div>
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
