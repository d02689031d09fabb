import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ActionIcon, Box, Button, Checkbox, Group, Switch, Text } from "@mantine/core";
import { isAlready } from "../../api/http.js";
import type { PolicyFinding, Rule } from "../../api/types.js";
import type { Counts } from "../../parts/counts/use-counts.js";
import type { Names } from "../../parts/describe-rule.js";
import { CopyIcon, GripIcon } from "../../parts/icons.js";
import { Refusal } from "../../parts/refusal.js";
import { rules as texts } from "../../texts/en/rules.js";
import { switchRule, toBody } from "./requests.js";
import { RuleText } from "./rule-text.js";
import { useCheckedWrite } from "./use-checked-write.js";
import { visible } from "../../parts/visible.js";

interface RuleRowProps {
  policyId: string;
  rule: Rule;
  names: Names;
  counts: Counts;
  findings: readonly PolicyFinding[];
  canMove: boolean;
  /** Whether a rule is on its way: what is shown are not the places that rules will have. */
  isMoving: boolean;
  canWrite: boolean;
  /** What one looks for. */
  words: readonly string[];
  onEdit: (rule: Rule) => void;
  onCopy: (rule: Rule) => void;
  isChosen: boolean;
  onChoose: (rule: Rule) => void;
}

/** One rule in words, with what can be done with it. */
export function RuleRow(props: Readonly<RuleRowProps>) {
  const { policyId, rule, names, counts, findings, canMove, isMoving, canWrite, words } = props;
  const { onEdit, onCopy, isChosen, onChoose } = props;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: rule.id,
    disabled: !canMove || isMoving,
    attributes: { roleDescription: texts.sortable },
  });
  const isActive = rule.status === "ACTIVE";
  const toggle = useCheckedWrite<Rule>({
    policyId,
    // each by the rule as it was when one pressed the switch: others may have switched it meanwhile
    titleOf: ({ name, status }) => (status === "ACTIVE" ? texts.askOff : texts.askOn)({ name: visible(name) }),
    actionOf: ({ status }) => (status === "ACTIVE" ? texts.switchOff : texts.switchOn),
    changeOf: (switched) => ({
      ruleId: switched.id,
      rule: { ...toBody(switched), status: switched.status === "ACTIVE" ? "INACTIVE" : "ACTIVE" },
    }),
    async write(switched, allowed) {
      const isOff = switched.status === "ACTIVE";
      try {
        await switchRule(policyId, switched, allowed);
      } catch (error) {
        if (isAlready(error, isOff ? "INACTIVE" : "ACTIVE")) return undefined; // there is nothing to undo
        throw error;
      }
      const text = (isOff ? texts.switchedOff : texts.switchedOn)({ name: switched.name });
      return { text, id: switched.id };
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
        {canWrite && (
          <Checkbox
            mt={4}
            checked={isChosen}
            disabled={rule.system}
            onChange={() => {
              onChoose(rule);
            }}
            aria-label={texts.select({ name: visible(rule.name) })}
          />
        )}
        <ActionIcon
          ref={setActivatorNodeRef}
          variant="subtle"
          color="gray"
          aria-label={texts.move({ name: visible(rule.name) })}
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
        <Group flex={1} gap="sm" align="flex-start">
          <Box flex="1 1 220px" miw={0}>
            <RuleText rule={rule} names={names} counts={counts} findings={findings} words={words} />
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
                  aria-label={texts.isOn({ name: visible(rule.name) })}
                />
              )}
              <RowActions rule={rule} onEdit={onEdit} onCopy={onCopy} />
            </Group>
          )}
        </Group>
      </Group>
    </Box>
  );
}

function RowActions({ rule, onEdit, onCopy }: Readonly<Pick<RuleRowProps, "rule" | "onEdit" | "onCopy">>) {
  return (
    <>
      {!rule.system && (
        <ActionIcon
          variant="default"
          size={30}
          aria-label={texts.duplicateNamed({ name: visible(rule.name) })}
          title={texts.duplicate}
          onClick={() => {
            onCopy(rule);
          }}
        >
          <CopyIcon size={16} />
        </ActionIcon>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={texts.editNamed({ name: visible(rule.name) })}
        onClick={() => {
          onEdit(rule);
        }}
      >
        {texts.edit}
      </Button>
    </>
  );
}
