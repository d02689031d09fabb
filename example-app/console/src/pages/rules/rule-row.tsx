import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ActionIcon, Badge, Box, Button, Group, Switch, Text } from "@mantine/core";
import type { PolicyFinding, Rule } from "../../api/types.js";
import { Counted } from "../../parts/counts/counted.js";
import type { Counts } from "../../parts/counts/use-counts.js";
import { describeConditions, describeProviders, type Names } from "../../parts/describe-rule.js";
import { GripIcon } from "../../parts/icons.js";
import { RecordLink } from "../../parts/records/record-link.js";
import { Refusal } from "../../parts/refusal.js";
import { switchRule, toBody } from "./requests.js";
import { RuleFindings } from "./rule-findings.js";
import { isWarning } from "./use-findings.js";
import { useCheckedWrite } from "./use-checked-write.js";
import { visible } from "../../parts/visible.js";

interface RuleRowProps {
  policyId: string;
  rule: Rule;
  names: Names;
  counts: Counts;
  findings: readonly PolicyFinding[];
  canMove: boolean;
  canWrite: boolean;
  onEdit: (rule: Rule) => void;
}

/** One rule in words, with what can be done with it. */
export function RuleRow(props: Readonly<RuleRowProps>) {
  const { policyId, rule, names, counts, findings, canMove, canWrite, onEdit } = props;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: rule.id,
    disabled: !canMove,
  });
  const isActive = rule.status === "ACTIVE";
  const toggle = useCheckedWrite<Rule>({
    policyId,
    titleOf: ({ name }) => `Switch the rule ${name} ${isActive ? "off" : "on"}?`,
    action: isActive ? "Switch it off" : "Switch it on",
    changeOf: (switched) => ({
      ruleId: switched.id,
      rule: { ...toBody(switched), status: isActive ? "INACTIVE" : "ACTIVE" },
    }),
    async write(switched, allowed) {
      await switchRule(policyId, switched, allowed);
      return { text: `Switched the rule ${switched.name} ${isActive ? "off" : "on"}`, id: switched.id };
    },
  });
  return (
    <Box
      ref={setNodeRef}
      px="md"
      py="sm"
      bg={isDragging ? "var(--mantine-color-default-hover)" : undefined}
      style={{
        transform: CSS.Translate.toString(transform),
        transition,
        borderTop: "1px solid var(--mantine-color-default-border)",
        position: "relative",
        zIndex: isDragging ? 1 : undefined,
      }}
    >
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <ActionIcon
          ref={setActivatorNodeRef}
          variant="subtle"
          color="gray"
          aria-label={`Move the rule ${visible(rule.name)}`}
          disabled={!canMove}
          style={{ cursor: canMove ? "grab" : undefined, touchAction: "none" }}
          {...attributes}
          {...listeners}
        >
          <GripIcon />
        </ActionIcon>
        <Text c="dimmed" w={36} ta="right" mt={2} style={{ fontVariantNumeric: "tabular-nums", flexShrink: 0 }}>
          {rule.priority}
        </Text>
        <Box flex={1} miw={0}>
          <RuleText rule={rule} names={names} counts={counts} findings={findings} />
          {toggle.dialog}
          <Refusal writing={toggle} />
        </Box>
        {canWrite && (
          <Group gap="sm" wrap="nowrap">
            {!rule.system && (
              <Switch
                checked={isActive}
                disabled={toggle.isPending}
                onChange={() => {
                  toggle.start(rule);
                }}
                aria-label={`The rule ${visible(rule.name)} is on`}
              />
            )}
            <Button
              size="xs"
              variant="default"
              aria-label={`Edit the rule ${visible(rule.name)}`}
              onClick={() => {
                onEdit(rule);
              }}
            >
              Edit
            </Button>
          </Group>
        )}
      </Group>
    </Box>
  );
}

/** What the rule asks, how often it decided, and what may be wrong with it. */
function RuleText({
  rule,
  names,
  counts,
  findings,
}: Readonly<Pick<RuleRowProps, "rule" | "names" | "counts" | "findings">>) {
  const conditions = describeConditions(rule.conditions, names);
  return (
    <>
      <Group gap="xs">
        <RecordLink page="/rules" id={rule.id} name={rule.name} fw={600} />
        {rule.system && (
          <Badge variant="light" color="gray" tt="none">
            Default
          </Badge>
        )}
        {rule.status === "INACTIVE" && (
          <Badge variant="light" color="yellow" tt="none">
            Off
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed" className="foreign">
        {conditions.length === 0 ? "Everyone" : visible(`If ${conditions.join(", and ")}`)} →{" "}
        <Text span fw={500} c="bright">
          {describeProviders(rule.actions.idp, names).join(", then ")}
        </Text>
      </Text>
      <Counted id={rule.id} counts={counts} />
      <RuleFindings findings={findings.filter(isWarning)} />
    </>
  );
}
