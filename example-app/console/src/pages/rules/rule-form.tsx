import { Box, Button, Drawer, Group, Loader, Stack, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { ApiProblem } from "../../api/http.js";
import { idpsQuery } from "../../api/queries.js";
import type { PolicyFinding, Rule } from "../../api/types.js";
import { FormButtons } from "../../parts/form-buttons.js";
import { RecordHistory } from "../../parts/history/record-history.js";
import { faultsOf, Problem } from "../../parts/problem.js";
import { Refusal } from "../../parts/refusal.js";
import { useAllowedWrite } from "../../parts/use-allowed-write.js";
import { useSession } from "../../session/use-session.js";
import { Conflict } from "./conflict.js";
import { DeleteRule } from "./delete-rule.js";
import { fromDraft, isComplete, NEW_RULE, toDraft, type Draft } from "./draft.js";
import { useRuleLines } from "./field-words.js";
import { LoginFields } from "./login-fields.js";
import { ListFields } from "./list-fields.js";
import { NameFields } from "./name-fields.js";
import { ProviderFields } from "./provider-fields.js";
import { createRule, readRule, replaceRule, type RuleChange } from "./requests.js";
import { ReplayFields } from "./replay.js";
import { RuleFindings } from "./rule-findings.js";
import { forgetDraft, useDraft } from "./use-draft.js";
import { WhatIf } from "./what-if.js";

interface RuleFormProps {
  policyId: string;
  /** `undefined` for a new one. */
  rule: Rule | undefined;
  /** The number of all rules. */
  count: number;
  findings: readonly PolicyFinding[];
  onClose: () => void;
}

/** Reads the rule again, with its entity tag, and edits it. */
export function RuleForm({ policyId, rule, count, findings, onClose: onDone }: Readonly<RuleFormProps>) {
  const onClose = () => {
    forgetDraft();
    onDone();
  };
  const current = useQuery({
    queryKey: ["edited rule", rule?.id],
    queryFn: ({ signal }) => readRule(policyId, rule?.id ?? "", signal),
    enabled: rule !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
  const isReady = rule === undefined || current.data !== undefined;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={rule ? "Edit a rule" : "Add a rule"}
      closeButtonProps={{ "aria-label": "Close" }}
      attributes={{ header: { role: "presentation" } }}
    >
      {current.error && <Problem error={current.error} />}
      {!isReady && !current.error && <Loader aria-label="Reading the rule" />}
      {isReady && (
        <Fields
          key={current.data?.etag ?? "new"}
          policyId={policyId}
          rule={current.data?.data}
          etag={current.data?.etag}
          count={count}
          findings={findings}
          onClose={onClose}
          onReload={() => void current.refetch()}
        />
      )}
    </Drawer>
  );
}

interface FieldsProps extends RuleFormProps {
  etag: string | undefined;
  onReload: () => void;
}

function Fields({ policyId, rule, etag, count, findings, onClose, onReload }: Readonly<FieldsProps>) {
  const { draft, change, isRestored, startOver } = useDraft(rule?.id ?? policyId, etag, () =>
    rule ? toDraft(rule) : NEW_RULE,
  );
  const { namespace } = useSession();
  const describe = useRuleLines();
  const { data: idps = [] } = useQuery(idpsQuery);
  const isDefault = rule?.system === true;
  const toBody = (of: Draft) =>
    fromDraft(of, (id) => idps.find((idp) => idp.id === id)?.type ?? "", namespace.toUpperCase());
  const [isDeleting, setDeleting] = useState(false);
  const toChange = (of: Draft): RuleChange => {
    const body = toBody(of);
    if (!rule) return { rule: body };
    return { ruleId: rule.id, rule: isDefault ? { name: rule.name, actions: body.actions } : body };
  };
  const save = useAllowedWrite(async ({ saved, seen }: { saved: Draft; seen: string | undefined }, allowed) => {
    const body = toBody(saved);
    if (!rule) await createRule(policyId, body, allowed);
    else await replaceRule(policyId, rule.id, toChange(saved).rule ?? body, seen, allowed);
    onClose();
  });
  const wanted = isDeleting && rule ? { ruleId: rule.id } : isComplete(draft) ? toChange(draft) : undefined;
  const isConflict = save.error instanceof ApiProblem && save.error.status === 412;
  const faults = faultsOf(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate({ saved: draft, seen: etag });
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        {isRestored && (
          <Group gap="xs">
            <Text size="sm">What you wrote before is here again.</Text>
            <Button size="compact-sm" variant="default" onClick={startOver}>
              Start over
            </Button>
          </Group>
        )}
        {findings.length > 0 && (
          <Box role="group" aria-label="What may be wrong with this rule">
            <RuleFindings findings={findings} />
          </Box>
        )}
        {!isDefault && (
          <>
            <NameFields draft={draft} onChange={change} faults={faults} count={count} />
            <LoginFields draft={draft} onChange={change} faults={faults} />
            <ListFields draft={draft} onChange={change} />
          </>
        )}
        <ProviderFields draft={draft} onChange={change} faults={faults} isDefault={isDefault} />
        {!isDefault && (
          <Switch
            label="The rule is on"
            checked={draft.isActive}
            onChange={(event) => {
              change({ isActive: event.currentTarget.checked });
            }}
          />
        )}
        <WhatIf policyId={policyId} change={wanted} />
        <ReplayFields policyId={policyId} change={wanted} />
        {!isConflict && <Refusal writing={save} title="The rule was not saved" />}
        {rule && isConflict && (
          <Conflict
            policyId={policyId}
            before={rule}
            mine={draft}
            isSaving={save.isPending}
            onSave={(saved, seen) => {
              save.mutate({ saved, seen });
            }}
            onTakeTheirs={onReload}
          />
        )}
        {rule && <RecordHistory id={rule.id} one="rule" describe={describe} onRestored={onClose} />}
        <Group justify="space-between">
          {rule && !isDefault ? (
            <DeleteRule
              policyId={policyId}
              rule={rule}
              etag={etag}
              isAsked={isDeleting}
              onAsk={setDeleting}
              onDeleted={onClose}
            />
          ) : (
            <span />
          )}
          <FormButtons action="Save" isPending={save.isPending} onCancel={onClose} />
        </Group>
      </Stack>
    </form>
  );
}
