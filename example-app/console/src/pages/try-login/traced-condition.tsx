import { Box, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { zonesQuery } from "../../api/queries.js";
import type { Rule, Trace, TracedCondition } from "../../api/types.js";
import { CheckIcon, CrossIcon } from "../../parts/icons.js";
import {
  describeIdentifier,
  describeNetwork,
  describePlatform,
  describePlatformEntry,
  describePattern,
} from "../../parts/describe-rule.js";
import { useScope } from "../../session/use-session.js";

interface TracedConditionProps {
  trace: Trace;
  condition: TracedCondition;
  /** `undefined` while it is not known. */
  rule: Rule | undefined;
}

/** What one condition asks for, whether it holds, and what it saw. */
export function TracedConditionText({ trace, condition, rule }: Readonly<TracedConditionProps>) {
  const { holds } = condition;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" mt={4} data-holds={holds}>
      <Box c={holds ? "teal.8" : "red.8"} mt={1} className={holds ? "holds" : "fails"}>
        {holds ? <CheckIcon size={16} /> : <CrossIcon size={16} />}
      </Box>
      <Text size="sm" className="foreign">
        <Text span fw={500}>
          <Wanted condition={condition} rule={rule} />
        </Text>
        <Text span c="dimmed">
          {" "}
          — {holds ? "yes" : "no"}: <Seen condition={condition} trace={trace} />
        </Text>
      </Text>
    </Group>
  );
}

function Wanted({ condition, rule }: Readonly<Pick<TracedConditionProps, "condition" | "rule">>): ReactNode {
  const { data: zones = [] } = useQuery({ ...zonesQuery, enabled: useScope("zones.read") });
  switch (condition.condition) {
    case "userIdentifier": {
      if (condition.pattern) {
        return capitalise(`the login ${describePattern(condition.pattern)}`);
      }
      const fallback =
        condition.attribute === undefined
          ? "the login matches a pattern"
          : `the attribute ${condition.attribute} matches`;
      return capitalise((rule && describeIdentifier(rule.conditions)) ?? fallback);
    }
    case "network":
      return capitalise(
        (rule && describeNetwork(rule.conditions, { zones })) ?? "the address is in the zones of the rule",
      );
    case "platform":
      return capitalise((rule && describePlatform(rule.conditions)) ?? "the device is one of those of the rule");
    case "matchCriteria":
      return "An active provider has the name that the rule computes";
  }
}

function Seen({ condition, trace }: Readonly<Pick<TracedConditionProps, "condition" | "trace">>): ReactNode {
  const { value } = condition;
  switch (condition.condition) {
    case "userIdentifier":
      if (typeof value === "string" && condition.attribute === undefined) return `it is ${value}`;
      return value === null ? "no user with this login has it" : `it is ${JSON.stringify(value)}`;
    case "network": {
      const zones = trace.client.zones.map(({ name }) => name);
      const place = zones.length === 0 ? "which is in no zone" : `which is in ${zones.join(", ")}`;
      return typeof value === "string" ? `it is ${value}, ${place}` : "the address is unknown";
    }
    case "platform": {
      const { type, os } = trace.client.platform;
      return `it is ${describePlatformEntry({ type, os: { type: os } })}`;
    }
    case "matchCriteria":
      return condition.provider
        ? `${condition.provider.name} is active`
        : `the name is ${JSON.stringify(value)}, which no active provider has`;
  }
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
