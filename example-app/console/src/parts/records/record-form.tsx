import { Fieldset, Group, Loader, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { ApiProblem } from "../../api/http.js";
import { FormButtons } from "../form-buttons.js";
import { RecordHistory } from "../history/record-history.js";
import { Panel } from "../panel.js";
import { faultsOf, Problem } from "../problem.js";
import { Refusal } from "../refusal.js";
import { useAllowedWrite } from "../use-allowed-write.js";
import { DeleteRecord } from "./delete-record.js";
import { describeRecord } from "./describe-record.js";
import type { NamedRecord, RecordKind } from "./kind.js";
import { withArticle } from "./words.js";
import { RecordConflict } from "./record-conflict.js";

interface RecordFormProps<R extends NamedRecord, D extends object> {
  kind: RecordKind<R, D>;
  /** As the list has it; `undefined` for a new one. */
  record: R | undefined;
  canWrite: boolean;
  onClose: () => void;
}

/** Reads a record again, with its entity tag, and edits it. */
export function RecordForm<R extends NamedRecord, D extends object>(props: Readonly<RecordFormProps<R, D>>) {
  const { kind, record, canWrite, onClose } = props;
  const current = useQuery({
    queryKey: ["edited", kind.key, record?.id],
    queryFn: ({ signal }) => kind.requests.read(record?.id ?? "", signal),
    enabled: record !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
  const isReady = record === undefined || current.data !== undefined;
  const verb = canWrite ? "Edit" : "Show";
  return (
    <Panel title={record ? `${verb} the ${kind.one}` : `Add ${withArticle(kind.one)}`} onClose={onClose}>
      {current.error && <Problem error={current.error} />}
      {!isReady && !current.error && <Loader aria-label={`Reading the ${kind.one}`} />}
      {isReady && (
        <Form
          {...props}
          key={current.data?.etag ?? "new"}
          record={current.data?.data}
          etag={current.data?.etag}
          onReload={() => void current.refetch()}
        />
      )}
    </Panel>
  );
}

interface FormProps<R extends NamedRecord, D extends object> extends RecordFormProps<R, D> {
  etag: string | undefined;
  onReload: () => void;
}

interface Saved<D> {
  readonly draft: D;
  /** The entity tag of the version that one has seen. */
  readonly seen: string | undefined;
}

function Form<R extends NamedRecord, D extends object>(props: Readonly<FormProps<R, D>>) {
  const { kind, record, canWrite, etag, onClose, onReload } = props;
  const { Fields, Details } = kind;
  const [draft, setDraft] = useState<D>(() => (record ? kind.toDraft(record) : kind.newDraft));
  const [isActive, setActive] = useState(record?.status !== "INACTIVE");
  const save = useAllowedWrite(
    async ({ draft, isOn, seen }: Saved<D> & { isOn: boolean }, allowed) => {
      const body = { ...kind.toBody(draft), status: isOn ? ("ACTIVE" as const) : ("INACTIVE" as const) };
      await (record ? kind.requests.replace(record.id, body, seen, allowed) : kind.requests.create(body, allowed));
      onClose();
    },
    [kind.key],
  );
  const isConflict = save.error instanceof ApiProblem && save.error.status === 412;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate({ draft, isOn: isActive, seen: etag });
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        {record && isConflict && (
          <RecordConflict
            kind={kind}
            before={record}
            mine={{ draft, isOn: isActive }}
            isSaving={save.isPending}
            onSave={(values, seen) => {
              save.mutate({ ...values, seen });
            }}
            onTakeTheirs={onReload}
          />
        )}
        <Fieldset variant="unstyled" disabled={!canWrite}>
          <Stack gap="lg">
            <Fields
              draft={draft}
              onChange={(changes) => {
                setDraft({ ...draft, ...changes });
              }}
              faults={faultsOf(save.error)}
              isNew={!record}
            />
            <Switch
              label={`The ${kind.one} is on`}
              checked={isActive}
              onChange={(event) => {
                setActive(event.currentTarget.checked);
              }}
            />
          </Stack>
        </Fieldset>
        {record && Details && <Details record={record} />}
        {record && <RecordHistory id={record.id} one={kind.one} describe={describeRecord(kind)} onRestored={onClose} />}
        {!isConflict && <Refusal writing={save} title={`The ${kind.one} was not saved`} />}
        {canWrite && (
          <Group justify="space-between" align="flex-end">
            {record ? <DeleteRecord kind={kind} record={record} etag={etag} onDeleted={onClose} /> : <span />}
            <FormButtons action="Save" isPending={save.isPending && !isConflict} onCancel={onClose} />
          </Group>
        )}
      </Stack>
    </form>
  );
}
