import { Anchor, Fieldset, Group, List, Text } from "@mantine/core";
import { Link, useMatch } from "@tanstack/react-router";
import type { Rule } from "../../api/types.js";
import { useRules } from "../../pages/rules/use-rules.js";
import { useScope } from "../../session/use-session.js";
import { records } from "../../texts/en/records.js";
import { ReadingProblem } from "../reading-problem.js";
import { Waiting } from "../waiting.js";
import { NEW } from "./kind.js";
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
    <Fieldset legend={records.usedByRules}>
      <ReadingProblem error={error} />
      {found.length > 0 && (
        <List size="sm">
          {found.slice(0, MAX_NAMED).map(({ id, name, priority, status }) => (
            <List.Item key={id} className="foreign">
              <RecordLink page="/rules" id={id} name={name} />{" "}
              <Text span c="dimmed" size="sm">
                {(status === "INACTIVE" ? records.placeOff : records.place)({ n: priority })}
              </Text>
            </List.Item>
          ))}
          {more > 0 && <List.Item>{records.more({ n: more })}</List.Item>}
        </List>
      )}
      <Group gap="xs" role="status">
        {!isComplete && !error && <Waiting size="xs" what={records.readingRules} />}
        {isComplete && found.length === 0 && (
          <Text size="sm" c="dimmed">
            {records.notUsed}
          </Text>
        )}
      </Group>
      <AddRule />
      {remark !== undefined && (
        <Text size="sm" c="dimmed" mt={4}>
          {remark}
        </Text>
      )}
    </Fieldset>
  );
}

/** Leads to the form of a new rule: for the provider, on its page. */
function AddRule() {
  const mayWrite = useScope("policies.manage");
  const idp = useMatch({ from: "/idps/$id", shouldThrow: false })?.params.id;
  if (!mayWrite) return null;
  const search = idp === undefined ? {} : { idp };
  return (
    <Anchor
      size="sm"
      mt={4}
      display="inline-block"
      underline="always"
      renderRoot={(root: object) => <Link to="/rules/$id" params={{ id: NEW }} search={search} {...root} />}
    >
      {idp === undefined ? records.addRule : records.addRuleForIdp}
    </Anchor>
  );
}
