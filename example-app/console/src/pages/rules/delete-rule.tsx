import { Box, Button } from "@mantine/core";
import type { Rule } from "../../api/types.js";
import { Confirm } from "../../parts/confirm.js";
import { Problem } from "../../parts/problem.js";
import { deleteRule } from "./requests.js";
import { useRuleWrite } from "./use-rules.js";
import { visible } from "../../parts/visible.js";

interface DeleteRuleProps {
  policyId: string;
  rule: Rule;
  etag: string | undefined;
  isAsked: boolean;
  onAsk: (isAsked: boolean) => void;
  onDeleted: () => void;
}

/** Deletes a rule after a question. */
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
    <Box flex="1 1 100%">
      <Confirm
        title={`Delete the rule ${visible(rule.name)}?`}
        action="Delete the rule"
        isPending={remove.isPending}
        onConfirm={() => {
          remove.mutate(undefined);
        }}
        onCancel={() => {
          onAsk(false);
        }}
      >
        The page History can bring it back.
      </Confirm>
    </Box>
  );
}
