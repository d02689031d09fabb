import { Button, Drawer, Group, Loader, NumberInput, Stack, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { ApiProblem, send } from "../../api/http.js";
import { idpsQuery } from "../../api/queries.js";
import type { Rule } from "../../api/types.js";
import { faultsOf, Problem } from "../../parts/problem.js";
import { useSession } from "../../session/use-session.js";
import { Conflict } from "./conflict.js";
import { DeleteRule } from "./delete-rule.js";
import { fromDraft, NEW_RULE, toDraft, type Draft } from "./draft.js";
import { LoginFields } from "./login-fields.js";
import { ListFields } from "./list-fields.js";
import { ProviderFields } from "./provider-fields.js";
import { useRuleWrite } from "./use-rules.js";

interface RuleFormProps {
  path: string;
  /** `undefined` for a new one. */
  rule: Rule | undefined;
  /** Of all rules. */
  count: number;
  onClose: () => void;
}

/** Reads the rule again, with its entity tag, and edits it. */
export function RuleForm({ path, rule, count, onClose }: Readonly<RuleFormProps>) {
  const current = useQuery({
    queryKey: ["edited rule", rule?.id],
    queryFn: ({ signal }) => send<Rule>(`${path}/${rule?.id ?? ""}`, { signal }),
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
          path={path}
          rule={current.data?.data}
          etag={current.data?.etag}
          count={count}
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

function Fields({ path, rule, etag, count, onClose, onReload }: Readonly<FieldsProps>) {
  const [draft, setDraft] = useState<Draft>(() => (rule ? toDraft(rule) : NEW_RULE));
  const { namespace } = useSession();
  const { data: idps = [] } = useQuery(idpsQuery);
  const isDefault = rule?.system === true;
  const toBody = () => fromDraft(draft, (id) => idps.find((idp) => idp.id === id)?.type ?? "", namespace.toUpperCase());
  const save = useRuleWrite(async (ifMatch: string | undefined) => {
    const body = toBody();
    if (!rule) await send(path, { method: "POST", body });
    else {
      const sent = isDefault ? { name: rule.name, actions: body.actions } : body;
      await send(`${path}/${rule.id}`, { method: "PUT", body: sent, ifMatch });
    }
    onClose();
  });
  const isConflict = save.error instanceof ApiProblem && save.error.status === 412;
  const faults = faultsOf(save.error);
  const change = (changes: Partial<Draft>) => {
    setDraft({ ...draft, ...changes });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(etag);
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        {save.error && !isConflict && <Problem error={save.error} title="The rule was not saved" />}
        {rule && isConflict && (
          <Conflict
            path={`${path}/${rule.id}`}
            mine={toBody()}
            onTakeTheirs={onReload}
            onSaveMine={(seen) => {
              save.mutate(seen);
            }}
          />
        )}
        {!isDefault && (
          <>
            <Group align="flex-start" grow preventGrowOverflow={false}>
              <TextInput
                label="Name"
                value={draft.name}
                onChange={(event) => {
                  change({ name: event.currentTarget.value });
                }}
                error={faults["name"]}
                maxLength={128}
                required
                data-autofocus
              />
              <NumberInput
                label="Place"
                description={draft.priority === undefined ? "last" : undefined}
                inputWrapperOrder={["label", "input", "description", "error"]}
                value={draft.priority ?? ""}
                onChange={(value) => {
                  change({ priority: typeof value === "number" ? value : undefined });
                }}
                error={faults["priority"]}
                min={1}
                max={count}
                maw={110}
              />
            </Group>
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
        <Group justify="space-between">
          {rule && !isDefault ? <DeleteRule path={path} rule={rule} etag={etag} onDeleted={onClose} /> : <span />}
          <Group>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
