import { Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useEffect, useRef, useState, type SubmitEvent } from "react";
import { ApiProblem } from "../../api/http.js";
import { records } from "../../texts/en/records.js";
import { FormButtons } from "../form-buttons.js";
import { anywayAs, type FormWrite } from "../form-write.js";
import { RecordHistory } from "../history/record-history.js";
import { Panel } from "../panel.js";
import { faultsOf } from "../faults.js";
import { ReadOnly } from "../read-only.js";
import { Refusal } from "../refusal.js";
import { Restored } from "../unsaved.js";
import { useAllowedWrite } from "../use-allowed-write.js";
import { forgetDraft, useDraft } from "../use-draft.js";
import { Waiting } from "../waiting.js";
import { DeleteRecord } from "./delete-record.js";
import { describeRecord } from "./describe-record.js";
import { NEW, type NamedRecord, type RecordKind, type Switched } from "./kind.js";
import { Unreadable } from "./unreadable.js";
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
  const { texts } = kind;
  return (
    <Panel
      title={id === undefined ? texts.add : canWrite ? texts.edit : texts.show}
      name={current.data?.data.name}
      form={formOf(kind, id)}
      onClose={onClose}
    >
      {current.error && <Unreadable error={current.error} title={texts.gone} />}
      {!isReady && !current.error && <Waiting what={texts.reading} />}
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

function Form<R extends NamedRecord, D extends Switched>(props: Readonly<FormProps<R, D>>) {
  const { kind, record, canWrite, etag, onClose, onReload } = props;
  const { Fields, Details, Start, texts } = kind;
  const Frame = canWrite ? Fragment : ReadOnly;
  const form = formOf(kind, record?.id);
  const state = useDraft<D>(form, () => (record ? kind.toDraft(record) : kind.newDraft));
  const { draft } = state;
  const [isStarted, setStarted] = useState(record !== undefined || !Start || state.isRestored);
  const fields = useFirstField(isStarted);
  const onDone = () => {
    forgetDraft(form);
    onClose();
  };
  const save = useAllowedWrite(
    async ({ saved, seen }: FormWrite<D>, allowed) => {
      const body = kind.toBody(saved);
      const { name } = saved;
      const text = record ? texts.saved({ name }) : texts.added({ name });
      let id = record?.id;
      if (record) await kind.requests.replace(record.id, body, seen, allowed);
      else id = (await kind.requests.create(body, allowed)).data?.id;
      onDone();
      return { text, id };
    },
    [kind.key],
  );
  const now = { saved: draft, seen: etag, draft };
  const isConflict = save.error instanceof ApiProblem && save.error.status === 412;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(now);
  };

  if (!isStarted && Start) {
    return (
      <Start
        onStart={(changes) => {
          state.change(changes);
          setStarted(true);
        }}
      />
    );
  }
  return (
    <form onSubmit={submit} ref={fields}>
      <Stack gap="lg">
        <Restored state={state} />
        {record && isConflict && (
          <RecordConflict
            kind={kind}
            before={record}
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
        <Frame>
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
        </Frame>
        {record && Details && <Details record={record} />}
        {record && <RecordHistory id={record.id} texts={texts} describe={describeRecord(kind)} onRestored={onDone} />}
        {canWrite && (
          <FormButtons
            action={records.save}
            isPending={save.isPending && !isConflict}
            onCancel={onClose}
            refusal={!isConflict && <Refusal writing={anywayAs(save, now)} title={texts.notSaved} isAtFields />}
            aside={record && <DeleteRecord kind={kind} record={record} etag={etag} onDeleted={onDone} />}
          />
        )}
      </Stack>
    </form>
  );
}

/** The form whose first field gets the focus when it comes in place of something else. */
function useFirstField(isShown: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const [wasShown] = useState(isShown);
  useEffect(() => {
    if (isShown && !wasShown) form.current?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
  }, [isShown, wasShown]);
  return form;
}
