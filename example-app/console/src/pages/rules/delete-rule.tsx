import { Box, Button } from "@mantine/core";
import type { Rule } from "../../api/types.js";
import { Confirm } from "../../parts/confirm.js";
import { Refusal } from "../../parts/refusal.js";
import { useAllowedWrite } from "../../parts/use-allowed-write.js";
import { useForgottenFocus } from "../../parts/use-returned-focus.js";
import { ruleForm as texts } from "../../texts/en/rule-form.js";
import { deleteRule } from "./requests.js";
import { visible } from "../../parts/visible.js";

interface DeleteRuleProps {
  policyId: string;
  rule: Rule;
  etag: string | undefined;
  /** `undefined` before it was asked. */
  isAsked: boolean | undefined;
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
    return { text: texts.deleted({ name: rule.name }), id: rule.id };
  });
  if (remove.error) return <Refusal writing={remove} title={texts.notDeleted} action={texts.deleteAnyway} />;
  if (isAsked !== true) {
    return (
      <Button
        autoFocus={isAsked === false} // it was asked, and comes back
        variant="subtle"
        color="red"
        onClick={() => {
          onAsk(true);
        }}
      >
        {texts.delete}
      </Button>
    );
  }
  return (
    <Box flex="1 1 100%">
      <Confirm
        title={texts.askDelete({ name: visible(rule.name) })}
        action={texts.deleteRule}
        isPending={remove.isPending}
        onConfirm={() => {
          remove.mutate(undefined);
        }}
        onCancel={() => {
          onAsk(false);
        }}
      >
        {texts.bringBack}
      </Confirm>
    </Box>
  );
}
