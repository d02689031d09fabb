import { Badge, Box, Group, Text, ThemeIcon } from "@mantine/core";
import type { Rule, Trace, TracedRule } from "../../api/types.js";
import { CheckIcon, CrossIcon, SkipIcon } from "../../parts/icons.js";
import { TracedConditionText } from "./traced-condition.js";
import { RecordLink } from "../../parts/records/record-link.js";
import { tryAnswer as texts } from "../../texts/en/try-answer.js";

const REASONS = { INACTIVE: "isOff", NO_ACTIVE_PROVIDER: "noneActive" } as const;

const RESULTS = {
  MATCH: { label: "matches", color: "teal", icon: CheckIcon },
  NO_MATCH: { label: "noMatch", color: "gray", icon: CrossIcon },
  SKIPPED: { label: "skip", color: "yellow", icon: SkipIcon },
} as const;

interface TriedRuleProps {
  trace: Trace;
  rule: TracedRule;
  /** What its conditions ask for; `undefined` while it is not known. */
  known: Rule | undefined;
}

/** A rule that was tried, with what each of its conditions saw. */
export function TriedRule({ trace, rule, known }: Readonly<TriedRuleProps>) {
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
            {texts[label]}
          </Badge>
        </Group>
        {rule.reason !== undefined && (
          <Text size="sm" c="dimmed">
            {texts[REASONS[rule.reason]]}
          </Text>
        )}
        {rule.result === "MATCH" && rule.conditions.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.forAll}
          </Text>
        )}
        {rule.conditions.map((condition) => (
          <TracedConditionText key={condition.condition} trace={trace} condition={condition} rule={known} />
        ))}
      </Box>
    </Group>
  );
}
