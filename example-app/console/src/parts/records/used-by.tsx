import { Anchor, Fieldset, Group, List, Loader, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Rule } from "../../api/types.js";
import { useRules } from "../../pages/rules/use-rules.js";
import { useScope } from "../../session/use-session.js";
import { ReadingProblem } from "../reading-problem.js";
import { RecordLink } from "./record-link.js";

interface UsedByProps {
  uses: (rule: Rule) => boolean;
  /** What is not in the list. */
  note?: ((rules: readonly Rule[]) => string | undefined) | undefined;
}

/** How many rules are named; the others are counted. */
const MAX_NAMED = 10;

/** The rules that use a record. */
export function UsedBy(props: Readonly<UsedByProps>) {
  return useScope("policies.read") ? <Rules {...props} /> : null;
}

function Rules({ uses, note }: Readonly<UsedByProps>) {
  const { rules, isComplete, error } = useRules();
  const found = rules.filter(uses);
  const more = found.length - MAX_NAMED;
  const remark = note?.(rules);
  return (
    <Fieldset legend="Used by these rules">
      <ReadingProblem error={error} />
      {found.length > 0 && (
        <List size="sm">
          {found.slice(0, MAX_NAMED).map(({ id, name, priority, status }) => (
            <List.Item key={id} className="foreign">
              <RecordLink page="/rules" id={id} name={name} />{" "}
              <Text span c="dimmed" size="sm">
                (place {priority}
                {status === "INACTIVE" && ", off"})
              </Text>
            </List.Item>
          ))}
          {more > 0 && <List.Item>and {more} more</List.Item>}
        </List>
      )}
      <Group gap="xs" role="status">
        {!isComplete && !error && <Loader size="xs" aria-label="Reading the rules" />}
        {isComplete && found.length === 0 && (
          <Text size="sm" c="dimmed">
            No rule uses it.{" "}
            <Anchor size="sm" renderRoot={(root: object) => <Link to="/rules" {...root} />}>
              Add a rule
            </Anchor>
          </Text>
        )}
      </Group>
      {remark !== undefined && (
        <Text size="sm" c="dimmed" mt={4}>
          {remark}
        </Text>
      )}
    </Fieldset>
  );
}
