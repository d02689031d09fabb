import { Box, Button } from "@mantine/core";
import type { Rule } from "../../api/types.js";
import { Confirm } from "../../parts/confirm.js";
import { Refusal } from "../../parts/refusal.js";
import { useAllowedWrite } from "../../parts/use-allowed-write.js";
import { useForgottenFocus } from "../../parts/use-returned-focus.js";
import { deleteRule } from "./requests.js";
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
  const forgetFocus = useForgottenFocus();
  const remove = useAllowedWrite(async (_values: undefined, allowed) => {
    await deleteRule(policyId, rule.id, etag, allowed);
    forgetFocus();
    onDeleted();
    return { text: `Deleted the rule ${rule.name}`, id: rule.id };
  });
  if (remove.error) return <Refusal writing={remove} title="The rule was not deleted" action="Delete anyway" />;
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
