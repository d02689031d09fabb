import { Box, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { zonesQuery } from "../../api/queries.js";
import type { Conditions, Rule, Trace, TracedCondition } from "../../api/types.js";
import { CheckIcon, CrossIcon } from "../../parts/icons.js";
import {
  describeIdentifier,
  describeNetwork,
  describePlatform,
  describePlatformEntry,
} from "../../parts/describe-rule.js";
import { useScope } from "../../session/use-session.js";
import { tryConditions as texts } from "../../texts/en/try-conditions.js";

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
          {texts[holds ? "yes" : "no"]({ seen: describeSeen(condition, trace) })}
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
        const conditions: Conditions = { userIdentifier: { type: "IDENTIFIER", patterns: [condition.pattern] } };
        return capitalise(describeIdentifier(conditions) ?? texts.loginMatches);
      }
      const fallback =
        condition.attribute === undefined
          ? texts.loginMatches
          : texts.attributeMatches({ attribute: condition.attribute });
      return capitalise((rule && describeIdentifier(rule.conditions)) ?? fallback);
    }
    case "network":
      return capitalise((rule && describeNetwork(rule.conditions, { zones })) ?? texts.inZones);
    case "platform":
      return capitalise((rule && describePlatform(rule.conditions)) ?? texts.ofDevices);
    case "matchCriteria":
      return texts.hasName;
  }
}

function describeSeen(condition: TracedCondition, trace: Trace): string {
  const { value } = condition;
  switch (condition.condition) {
    case "userIdentifier":
      if (typeof value === "string" && condition.attribute === undefined) return texts.itIs({ value });
      return value === null ? texts.noUser : texts.itIs({ value: JSON.stringify(value) });
    case "network": {
      if (typeof value !== "string") return texts.addressUnknown;
      const zones = trace.client.zones.map(({ name }) => name).join(texts.comma);
      return zones === "" ? texts.itIsInNoZone({ address: value }) : texts.itIsInZones({ address: value, zones });
    }
    case "platform": {
      const { type, os } = trace.client.platform;
      return texts.itIs({ value: describePlatformEntry({ type, os: { type: os } }) });
    }
    case "matchCriteria":
      return condition.provider
        ? texts.isActive({ provider: condition.provider.name })
        : texts.noneHasName({ name: JSON.stringify(value) });
  }
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
