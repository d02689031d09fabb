import { Badge, Box, Group, List, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { Rule, Trace, TracedRule } from "../../api/types.js";
import { CheckIcon, CrossIcon, SkipIcon } from "../../parts/icons.js";
import { TracedConditionText } from "./traced-condition.js";
import { RecordLink } from "../../parts/records/record-link.js";

const REASONS = { INACTIVE: "It is switched off.", NO_ACTIVE_PROVIDER: "None of its providers is active." };

const RESULTS = {
  MATCH: { label: "Matches", color: "teal", icon: CheckIcon },
  NO_MATCH: { label: "Doesn't match", color: "gray", icon: CrossIcon },
  SKIPPED: { label: "Skipped", color: "yellow", icon: SkipIcon },
} as const;

interface TriedRulesProps {
  trace: Trace;
  rules: readonly TracedRule[];
  /** What their conditions ask for. */
  known: ReadonlyMap<string, Rule>;
}

/** Every rule that was tried, in order, with what each of its conditions saw. */
export function TriedRules({ trace, rules, known }: Readonly<TriedRulesProps>) {
  return (
    <Stack gap="md">
      <Box>
        <Title order={2} size="h4">
          Rules that were tried
        </Title>
        <Text size="sm" c="dimmed">
          From the first one on, until one matches.
        </Text>
      </Box>
      <List listStyleType="none" spacing="md" styles={{ itemWrapper: { width: "100%" }, itemLabel: { width: "100%" } }}>
        {rules.map((rule) => (
          <List.Item key={rule.id}>
            <TriedRule trace={trace} rule={rule} known={known.get(rule.id)} />
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

function TriedRule({ trace, rule, known }: Readonly<{ trace: Trace; rule: TracedRule; known: Rule | undefined }>) {
  const { label, color, icon: Icon } = RESULTS[rule.result];
  return (
    <Group align="flex-start" wrap="nowrap" gap="sm" data-result={rule.result}>
      <ThemeIcon variant={rule.result === "MATCH" ? "filled" : "light"} color={color} radius="xl" size={28} mt={2}>
        <Icon size={16} />
      </ThemeIcon>
      <Box flex={1} miw={0}>
        <Group gap="xs" justify="space-between" wrap="nowrap" align="flex-start">
          <Text fw={rule.result === "MATCH" ? 700 : 500} className="foreign">
            <Text span c="dimmed" fw={400}>
              {rule.priority}.
            </Text>{" "}
            <RecordLink page="/rules" id={rule.id} name={rule.name} />
          </Text>
          <Badge variant="light" color={color} tt="none" style={{ flexShrink: 0 }} autoContrast>
            {label}
          </Badge>
        </Group>
        {rule.reason !== undefined && (
          <Text size="sm" c="dimmed">
            {REASONS[rule.reason]}
          </Text>
        )}
        {rule.result === "MATCH" && rule.conditions.length === 0 && (
          <Text size="sm" c="dimmed">
            It has no conditions, so it holds for everyone.
          </Text>
        )}
        {rule.conditions.map((condition) => (
          <TracedConditionText key={condition.condition} trace={trace} condition={condition} rule={known} />
        ))}
      </Box>
    </Group>
  );
}
