import { Box, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { ApiProblem, withQuery } from "../../api/http.js";
import { idpsQuery } from "../../api/queries.js";
import type { PolicyFinding, Rule } from "../../api/types.js";
import { FormButtons } from "../../parts/form-buttons.js";
import { anywayAs, type FormWrite } from "../../parts/form-write.js";
import { RecordHistory } from "../../parts/history/record-history.js";
import { Panel } from "../../parts/panel.js";
import { faultsOf } from "../../parts/faults.js";
import { NEW } from "../../parts/records/kind.js";
import { Unreadable } from "../../parts/records/unreadable.js";
import { Refusal } from "../../parts/refusal.js";
import { Restored } from "../../parts/unsaved.js";
import { useAllowedWrite } from "../../parts/use-allowed-write.js";
import { forgetDraft, useDraft } from "../../parts/use-draft.js";
import { Waiting } from "../../parts/waiting.js";
import { useSession } from "../../session/use-session.js";
import { ruleRecord } from "../../texts/en/rule-record.js";
import { ruleForm as texts } from "../../texts/en/rule-form.js";
import { Conflict } from "./conflict.js";
import { DeleteRule } from "./delete-rule.js";
import { draftFor, draftLike, fromDraft, isComplete, NEW_RULE, toDraft, type Draft } from "./draft.js";
import { useRuleLines } from "./field-words.js";
import { LoginFields } from "./login-fields.js";
import { ListFields } from "./list-fields.js";
import { NameFields } from "./name-fields.js";
import { ProviderFields } from "./provider-fields.js";
import { createRule, readRule, replaceRule, type RuleChange } from "./requests.js";
import { ReplayFields } from "./replay.js";
import { RuleFindings } from "./rule-findings.js";
import type { RuleSearch } from "./search.js";
import { usePreview, useRehearsal } from "./use-preview.js";
import { describeMoves, WhatIf } from "./what-if.js";

interface RuleFormProps {
  policyId: string;
  /** `undefined` for a new one. */
  id: string | undefined;
  /** The number of all rules. */
  count: number;
  findings: readonly PolicyFinding[];
  /** With what a new one begins. */
  start: RuleSearch;
  onClose: () => void;
}

/** Reads the rule again, with its entity tag, and edits it. */
export function RuleForm({ policyId, id, count, findings, start, onClose }: Readonly<RuleFormProps>) {
  const read = id ?? start.copy;
  const current = useQuery({
    queryKey: ["edited rule", id, start.copy],
    queryFn: ({ signal }) => readRule(policyId, read ?? "", signal),
    enabled: read !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
  const { isPending } = useQuery(idpsQuery); // a rule is saved with the types of its providers
  const isReady = (read === undefined || current.data !== undefined) && !isPending;
  const isNew = id === undefined;
  const form = formOf(id, start);
  return (
    <Panel
      title={isNew ? texts.add : texts.edit}
      name={isNew ? undefined : current.data?.data.name}
      size="lg"
      form={form}
      onClose={onClose}
    >
      {current.error && <Unreadable error={current.error} title={ruleRecord.gone} />}
      {!isReady && !current.error && <Waiting what={texts.reading} />}
      {isReady && (
        <Fields
          key={current.data?.etag ?? "new"}
          policyId={policyId}
          id={id}
          form={form}
          rule={isNew ? undefined : current.data?.data}
          etag={isNew ? undefined : current.data?.etag}
          initial={initialOf(current.data?.data, id, start)}
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
function formOf(id = NEW, { copy, idp }: RuleSearch = {}): string {
  return withQuery(`/rules/${id}`, { copy, idp });
}

/** @param rule that was read: the one to edit, or the one to copy */
function initialOf(rule: Rule | undefined, id: string | undefined, { idp }: RuleSearch): Draft {
  if (rule) return id === undefined ? draftLike(rule) : toDraft(rule);
  return idp === undefined ? NEW_RULE : draftFor(idp);
}

interface FieldsProps extends Omit<RuleFormProps, "start"> {
  form: string;
  rule: Rule | undefined;
  initial: Draft;
  etag: string | undefined;
  onReload: () => void;
}

function Fields(props: Readonly<FieldsProps>) {
  const { policyId, form, rule, initial, etag, count, findings, onClose, onReload } = props;
  const state = useDraft(form, () => initial);
  const { draft, change } = state;
  const onDone = () => {
    forgetDraft(form);
    onClose();
  };
  const orgType = useSession().namespace.toUpperCase();
  const describe = useRuleLines();
  const { data: idps = [] } = useQuery(idpsQuery);
  const isDefault = rule?.system === true;
  const toBody = (of: Draft) => fromDraft(of, (id) => idps.find((idp) => idp.id === id)?.type ?? "", orgType);
  const [isDeleting, setDeleting] = useState<boolean>();
  const toChange = (of: Draft): RuleChange => {
    const body = toBody(of);
    if (!rule) return { rule: body };
    return { ruleId: rule.id, rule: isDefault ? { name: rule.name, actions: body.actions } : body };
  };
  const rehearse = useRehearsal(policyId);
  const save = useAllowedWrite(async ({ saved, seen }: FormWrite<Draft>, allowed) => {
    const body = toBody(saved);
    const moves = await rehearse(toChange(saved));
    let ruleId = rule?.id;
    if (!rule) ruleId = await createRule(policyId, body, allowed);
    else await replaceRule(policyId, rule.id, toChange(saved).rule ?? body, seen, allowed);
    onDone();
    return { text: describeSaved(rule === undefined, saved.name) + describeMoves(moves), id: ruleId };
  });
  const wanted = isDeleting && rule ? { ruleId: rule.id } : isComplete(draft) ? toChange(draft) : undefined;
  const now = { saved: draft, seen: etag, draft };
  const isConflict = save.error instanceof ApiProblem && save.error.status === 412;
  const faults = faultsOf(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(now);
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
            <ListFields draft={draft} onChange={change} faults={faults} />
          </>
        )}
        <ProviderFields draft={draft} onChange={change} faults={faults} isDefault={isDefault} />
        {!isDefault && (
          <Switch
            label={texts.isOn}
            checked={draft.isActive}
            onChange={(event) => {
              change({ isActive: event.currentTarget.checked });
            }}
          />
        )}
        <WhatIf preview={usePreview(policyId, wanted)} isComplete={wanted !== undefined} />
        <ReplayFields policyId={policyId} change={wanted} />
        {rule && isConflict && (
          <Conflict
            policyId={policyId}
            before={rule}
            mine={draft}
            isSaving={save.isPending}
            onSave={(saved, seen) => {
              save.mutate({ saved, seen, draft });
            }}
            onTakeTheirs={() => {
              forgetDraft(form);
              onReload();
            }}
          />
        )}
        {rule && <RecordHistory id={rule.id} texts={ruleRecord} describe={describe} onRestored={onDone} />}
        <FormButtons
          action={texts.save}
          isPending={save.isPending && !isConflict}
          onCancel={onClose}
          refusal={!isConflict && <Refusal writing={anywayAs(save, now)} title={texts.notSaved} isAtFields />}
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

function describeSaved(isNew: boolean, name: string): string {
  return (isNew ? texts.added : texts.saved)({ name });
}

function KnownFindings({ findings }: Readonly<{ findings: readonly PolicyFinding[] }>) {
  if (findings.length === 0) return null;
  return (
    <Box role="group" aria-label={texts.doubts}>
      <RuleFindings findings={findings} />
    </Box>
  );
}
