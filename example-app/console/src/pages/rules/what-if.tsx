import { Box, Group, Text } from "@mantine/core";
import { Help } from "../../parts/help.js";
import { describeCount, TestedLogins } from "../../parts/outcomes.js";
import { Problem } from "../../parts/problem.js";
import { Waiting } from "../../parts/waiting.js";
import { ruleReplay as texts } from "../../texts/en/rule-replay.js";
import type { Preview } from "./requests.js";
import { RuleFindings } from "./rule-findings.js";
import type { usePreview } from "./use-preview.js";

interface WhatIfProps {
  preview: ReturnType<typeof usePreview>;
  /** Whether the rule has all that it needs. */
  isComplete: boolean;
}

/** What a change would do to the logins that were tried last and to one of each rule, while one makes it. */
export function WhatIf({ preview, isComplete }: Readonly<WhatIfProps>) {
  return (
    <Box role="region" aria-label={texts.tested} aria-busy={preview.isFetching}>
      <Group gap={4} mb={4} wrap="nowrap">
        <Text size="sm" fw={500}>
          {texts.aboutTested}
        </Text>
        <Help term="whatIf" name={texts.tested} />
        {preview.isFetching && <Waiting size={12} what={texts.asking} />}
      </Group>
      <Box role="status">
        {!isComplete && (
          <Text size="sm" c="dimmed">
            {texts.incomplete}
          </Text>
        )}
        {isComplete && preview.error && <Problem error={preview.error} title={texts.unknown} />}
        {isComplete && !preview.error && preview.data && <Changes preview={preview.data} />}
      </Box>
    </Box>
  );
}

/** The logins that go elsewhere, which were asked, and what then may be wrong with rules. */
export function Changes({ preview: { tried, samples, findings } }: Readonly<{ preview: Preview }>) {
  return (
    <>
      <TestedLogins tested={[...tried, ...samples]} />
      {findings.length > 0 && (
        <Box mt="xs" role="group" aria-label={texts.doubts}>
          {findings.map((finding, index) => (
            <RuleFindings key={index} findings={[finding]} />
          ))}
        </Box>
      )}
    </>
  );
}

/** For the message about what was done: `. 3 of 36 test logins go elsewhere`. */
export function describeMoves(preview: Preview | undefined): string {
  if (!preview) return "";
  const all = [...preview.tried, ...preview.samples];
  const moved = all.filter(({ changed }) => changed).length;
  return moved === 0 ? "" : texts.moves({ moves: describeCount(moved, all.length) });
}
