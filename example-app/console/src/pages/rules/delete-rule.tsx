import { Button, Group, Text } from "@mantine/core";
import type { Rule } from "../../api/types.js";
import { Problem } from "../../parts/problem.js";
import { deleteRule } from "./requests.js";
import { useRuleWrite } from "./use-rules.js";

interface DeleteRuleProps {
  policyId: string;
  rule: Rule;
  etag: string | undefined;
  isAsked: boolean;
  onAsk: (isAsked: boolean) => void;
  onDeleted: () => void;
}

/** Deletes a rule after a second press. */
export function DeleteRule({ policyId, rule, etag, isAsked, onAsk, onDeleted }: Readonly<DeleteRuleProps>) {
  const remove = useRuleWrite(async () => {
    await deleteRule(policyId, rule.id, etag);
    onDeleted();
  });
  if (remove.error) return <Problem error={remove.error} title="The rule was not deleted" />;
  if (!isAsked) {
    return (
      <Button
        variant="subtle"
        color="red"
        onClick={() => {
          onAsk(true);
        }}
      >
        Delete
      </Button>
    );
  }
  return (
    <Group gap="xs">
      <Button
        variant="default"
        onClick={() => {
          onAsk(false);
        }}
      >
        Keep it
      </Button>
      <Text size="sm">This can't be undone.</Text>
      <Button
        color="red"
        loading={remove.isPending}
        onClick={() => {
          remove.mutate(undefined);
        }}
      >
        Delete the rule
      </Button>
    </Group>
  );
}
