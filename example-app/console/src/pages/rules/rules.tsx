import { Button, Checkbox, Group, Loader, Paper, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Rule } from "../../api/types.js";
import { PlusIcon } from "../../parts/icons.js";
import { Page } from "../../parts/page.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { NEW } from "../../parts/records/kind.js";
import { useOpened } from "../../parts/records/use-opened.js";
import { Skeletons } from "../../parts/skeletons.js";
import { useScope } from "../../session/use-session.js";
import { RuleForm } from "./rule-form.js";
import { RuleList } from "./rule-list.js";
import { isWarning, useFindings } from "./use-findings.js";
import { useRules } from "./use-rules.js";

/** The routing rules in their order. The first one whose conditions hold decides. */
export function Rules() {
  const { policyId, rules, isComplete, error } = useRules();
  const [part, setPart] = useState("");
  const opened = useOpened("/rules");
  const mayWrite = useScope("policies.manage");
  const findings = useFindings(policyId);
  const [isDoubted, setDoubted] = useState(false);
  const isInDoubt = ({ id }: Rule) => findings.get(id)?.some(isWarning) === true;
  const doubted = rules.filter(isInDoubt).length;
  const shown = rules.filter(
    (rule) => rule.name.toLowerCase().includes(part.toLowerCase()) && (!isDoubted || isInDoubt(rule)),
  );

  return (
    <Page
      title="Routing rules"
      about="They are tried in this order. The first active rule whose conditions all hold decides who signs a login in."
      actions={
        mayWrite && (
          <Button
            leftSection={<PlusIcon />}
            onClick={() => {
              opened.open(NEW);
            }}
          >
            Add a rule
          </Button>
        )
      }
    >
      <ReadingProblem error={error} />
      <Paper withBorder>
        <Group p="md" justify="space-between">
          <TextInput
            aria-label="Find a rule by its name"
            placeholder="Find a rule by its name"
            value={part}
            onChange={(event) => {
              setPart(event.currentTarget.value);
            }}
            w={280}
          />
          <Group gap="md">
            {(doubted > 0 || isDoubted) && (
              <Checkbox
                label={`Only with warnings (${doubted})`}
                checked={isDoubted}
                onChange={(event) => {
                  setDoubted(event.currentTarget.checked);
                }}
              />
            )}
            {!isComplete && !error && <Loader size="xs" aria-label="Reading the rules" />}
            <Text size="sm" c="dimmed" role="status">
              {(rules.length > 0 || isComplete) && describeCount(shown.length, rules.length)}
            </Text>
          </Group>
        </Group>
        {rules.length === 0 && !isComplete && <Skeletons />}
        <RuleList
          policyId={policyId}
          rules={shown}
          findings={findings}
          canMove={mayWrite && isComplete && part === "" && !isDoubted}
          canWrite={mayWrite}
          onEdit={({ id }) => {
            opened.open(id);
          }}
        />
      </Paper>
      {opened.id !== undefined && (
        <RuleForm
          key={opened.id}
          policyId={policyId}
          id={opened.id === NEW ? undefined : opened.id}
          count={rules.length}
          findings={findings.get(opened.id) ?? []}
          onClose={opened.close}
        />
      )}
    </Page>
  );
}

const NUMBER = new Intl.NumberFormat();

/** `1 of 4,900 rules` */
function describeCount(shown: number, all: number): string {
  const of = shown === all ? "" : `${NUMBER.format(shown)} of `;
  return `${of}${NUMBER.format(all)} ${all === 1 ? "rule" : "rules"}`;
}
