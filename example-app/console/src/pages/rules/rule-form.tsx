import { Box, Loader, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { ApiProblem } from "../../api/http.js";
import { idpsQuery } from "../../api/queries.js";
import type { PolicyFinding, Rule } from "../../api/types.js";
import { FormButtons } from "../../parts/form-buttons.js";
import { RecordHistory } from "../../parts/history/record-history.js";
import { Panel } from "../../parts/panel.js";
import { faultsOf } from "../../parts/faults.js";
import { NEW } from "../../parts/records/kind.js";
import { Unreadable } from "../../parts/records/unreadable.js";
import { Refusal } from "../../parts/refusal.js";
import { Restored } from "../../parts/unsaved.js";
import { useAllowedWrite } from "../../parts/use-allowed-write.js";
import { forgetDraft, useDraft } from "../../parts/use-draft.js";
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
import { usePreview, useRehearsal } from "./use-preview.js";
import { describeMoves, WhatIf } from "./what-if.js";

interface RuleFormProps {
  policyId: string;
  /** `undefined` for a new one. */
  id: string | undefined;
  /** The number of all rules. */
  count: number;
  findings: readonly PolicyFinding[];
  onClose: () => void;
}

/** Reads the rule again, with its entity tag, and edits it. */
export function RuleForm({ policyId, id, count, findings, onClose }: Readonly<RuleFormProps>) {
  const current = useQuery({
    queryKey: ["edited rule", id],
    queryFn: ({ signal }) => readRule(policyId, id ?? "", signal),
    enabled: id !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
  const isReady = id === undefined || current.data !== undefined;
  return (
    <Panel
      title={id === undefined ? "Add a rule" : "Edit a rule"}
      name={current.data?.data.name}
      size="lg"
      form={formOf(id)}
      onClose={onClose}
    >
      {current.error && <Unreadable error={current.error} one="rule" />}
      {!isReady && !current.error && <Loader aria-label="Reading the rule" />}
      {isReady && (
        <Fields
          key={current.data?.etag ?? "new"}
          policyId={policyId}
          id={id}
          rule={current.data?.data}
          etag={current.data?.etag}
          count={count}
          findings={findings}
          onClose={onClose}
          onReload={() => void current.refetch()}
        />
      )}
    </Panel>
  );
}

/** The address of the form of a rule. */
function formOf(id = NEW): string {
  return `/rules/${id}`;
}

interface FieldsProps extends RuleFormProps {
  rule: Rule | undefined;
  etag: string | undefined;
  onReload: () => void;
}

function Fields({ policyId, rule, etag, count, findings, onClose, onReload }: Readonly<FieldsProps>) {
  const state = useDraft(formOf(rule?.id), () => (rule ? toDraft(rule) : NEW_RULE));
  const { draft, change } = state;
  const onDone = () => {
    forgetDraft(formOf(rule?.id));
    onClose();
  };
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
  const rehearse = useRehearsal(policyId);
  const save = useAllowedWrite(async ({ saved, seen }: { saved: Draft; seen: string | undefined }, allowed) => {
    const body = toBody(saved);
    const moves = await rehearse(toChange(saved));
    let ruleId = rule?.id;
    if (!rule) ruleId = await createRule(policyId, body, allowed);
    else await replaceRule(policyId, rule.id, toChange(saved).rule ?? body, seen, allowed);
    onDone();
    return { text: `${rule ? "Saved" : "Added"} the rule ${saved.name}${describeMoves(moves)}`, id: ruleId };
  });
  const wanted = isDeleting && rule ? { ruleId: rule.id } : isComplete(draft) ? toChange(draft) : undefined;
  const preview = usePreview(policyId, wanted);
  const isConflict = save.error instanceof ApiProblem && save.error.status === 412;
  const faults = faultsOf(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate({ saved: draft, seen: etag });
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Restored state={state} />
        <KnownFindings findings={findings} />
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
        <WhatIf preview={preview} isComplete={wanted !== undefined} />
        <ReplayFields policyId={policyId} change={wanted} />
        {rule && isConflict && (
          <Conflict
            policyId={policyId}
            before={rule}
            mine={draft}
            isSaving={save.isPending}
            onSave={(saved, seen) => {
              save.mutate({ saved, seen });
            }}
            onTakeTheirs={() => {
              forgetDraft(formOf(rule.id));
              onReload();
            }}
          />
        )}
        {rule && <RecordHistory id={rule.id} one="rule" describe={describe} onRestored={onDone} />}
        <FormButtons
          action="Save"
          isPending={save.isPending && !isConflict}
          onCancel={onClose}
          refusal={!isConflict && <Refusal writing={save} title="The rule was not saved" isAtFields />}
          aside={
            rule &&
            !isDefault && (
              <DeleteRule
                policyId={policyId}
                rule={rule}
                etag={etag}
                isAsked={isDeleting}
                onAsk={setDeleting}
                onDeleted={onDone}
              />
            )
          }
        />
      </Stack>
    </form>
  );
}

function KnownFindings({ findings }: Readonly<{ findings: readonly PolicyFinding[] }>) {
  if (findings.length === 0) return null;
  return (
    <Box role="group" aria-label="What may be wrong with this rule">
      <RuleFindings findings={findings} />
    </Box>
  );
}
