import { Fieldset, Loader, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { ApiProblem } from "../../api/http.js";
import { FormButtons } from "../form-buttons.js";
import { RecordHistory } from "../history/record-history.js";
import { Panel } from "../panel.js";
import { faultsOf } from "../faults.js";
import { Refusal } from "../refusal.js";
import { Restored } from "../unsaved.js";
import { useAllowedWrite } from "../use-allowed-write.js";
import { forgetDraft, useDraft } from "../use-draft.js";
import { DeleteRecord } from "./delete-record.js";
import { describeRecord } from "./describe-record.js";
import { NEW, type NamedRecord, type RecordKind, type Switched } from "./kind.js";
import { Unreadable } from "./unreadable.js";
import { withArticle } from "./words.js";
import { RecordConflict } from "./record-conflict.js";

interface RecordFormProps<R extends NamedRecord, D extends Switched> {
  kind: RecordKind<R, D>;
  /** `undefined` for a new one. */
  id: string | undefined;
  canWrite: boolean;
  onClose: () => void;
}

/** Reads a record again, with its entity tag, and edits it. */
export function RecordForm<R extends NamedRecord, D extends Switched>(props: Readonly<RecordFormProps<R, D>>) {
  const { kind, id, canWrite, onClose } = props;
  const current = useQuery({
    queryKey: ["edited", kind.key, id],
    queryFn: ({ signal }) => kind.requests.read(id ?? "", signal),
    enabled: id !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
  const isReady = id === undefined || current.data !== undefined;
  const verb = canWrite ? "Edit" : "Show";
  return (
    <Panel
      title={id === undefined ? `Add ${withArticle(kind.one)}` : `${verb} the ${kind.one}`}
      name={current.data?.data.name}
      form={formOf(kind, id)}
      onClose={onClose}
    >
      {current.error && <Unreadable error={current.error} one={kind.one} />}
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

/** The address of the form of a record. */
function formOf({ page }: Pick<RecordKind<NamedRecord, Switched>, "page">, id = NEW): string {
  return `${page}/${id}`;
}

interface FormProps<R extends NamedRecord, D extends Switched> extends RecordFormProps<R, D> {
  record: R | undefined;
  etag: string | undefined;
  onReload: () => void;
}

interface Saved<D> {
  readonly saved: D;
  /** The entity tag of the version that one has seen. */
  readonly seen: string | undefined;
}

function Form<R extends NamedRecord, D extends Switched>(props: Readonly<FormProps<R, D>>) {
  const { kind, record, canWrite, etag, onClose, onReload } = props;
  const { Fields, Details } = kind;
  const form = formOf(kind, record?.id);
  const state = useDraft<D>(form, () => (record ? kind.toDraft(record) : kind.newDraft));
  const { draft } = state;
  const onDone = () => {
    forgetDraft(form);
    onClose();
  };
  const save = useAllowedWrite(
    async ({ saved, seen }: Saved<D>, allowed) => {
      const body = kind.toBody(saved);
      const text = `${record ? "Saved" : "Added"} the ${kind.one} ${saved.name}`;
      let id = record?.id;
      if (record) await kind.requests.replace(record.id, body, seen, allowed);
      else id = (await kind.requests.create(body, allowed)).data?.id;
      onDone();
      return { text, id };
    },
    [kind.key],
  );
  const isConflict = save.error instanceof ApiProblem && save.error.status === 412;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate({ saved: draft, seen: etag });
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Restored state={state} />
        {record && isConflict && (
          <RecordConflict
            kind={kind}
            before={record}
            mine={draft}
            isSaving={save.isPending}
            onSave={(saved, seen) => {
              save.mutate({ saved, seen });
            }}
            onTakeTheirs={() => {
              forgetDraft(form);
              onReload();
            }}
          />
        )}
        <Fieldset variant="unstyled" disabled={!canWrite}>
          <Stack gap="lg">
            <Fields draft={draft} onChange={state.change} faults={faultsOf(save.error)} isNew={!record} />
            <Switch
              label={kind.labels.isOn}
              checked={draft.isOn}
              onChange={(event) => {
                state.change({ isOn: event.currentTarget.checked } as Partial<D>);
              }}
            />
          </Stack>
        </Fieldset>
        {record && Details && <Details record={record} />}
        {record && <RecordHistory id={record.id} one={kind.one} describe={describeRecord(kind)} onRestored={onDone} />}
        {canWrite && (
          <FormButtons
            action="Save"
            isPending={save.isPending && !isConflict}
            onCancel={onClose}
            refusal={!isConflict && <Refusal writing={save} title={`The ${kind.one} was not saved`} isAtFields />}
            aside={record && <DeleteRecord kind={kind} record={record} etag={etag} onDeleted={onDone} />}
          />
        )}
      </Stack>
    </form>
  );
}
