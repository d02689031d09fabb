import { useQuery } from "@tanstack/react-query";
import { FieldConflict, isSame, type ConflictField } from "../field-conflict.js";
import { Problem } from "../problem.js";
import { Waiting } from "../waiting.js";
import type { NamedRecord, RecordKind, Switched } from "./kind.js";

interface RecordConflictProps<R extends NamedRecord, D extends Switched> {
  kind: RecordKind<R, D>;
  /** As one has read it. */
  before: R;
  mine: D;
  isSaving: boolean;
  /** @param seen the entity tag of their version */
  onSave: (chosen: D, seen: string | undefined) => void;
  onTakeTheirs: () => void;
}

/** The fields of a record that differ from what somebody else was faster to save. */
export function RecordConflict<R extends NamedRecord, D extends Switched>(props: Readonly<RecordConflictProps<R, D>>) {
  const { kind, before, mine, isSaving, onSave, onTakeTheirs } = props;
  const current = useQuery({
    queryKey: ["conflict", before.id],
    queryFn: ({ signal }) => kind.requests.read(before.id, signal),
    staleTime: 0,
    gcTime: 0,
  });
  if (current.error) return <Problem error={current.error} />;
  if (!current.data) return <Waiting what={kind.texts.readingAgain} />;
  const { data: record, etag } = current.data;
  const theirs = kind.toDraft(record);
  const [first, own] = [kind.toDraft(before), tidy(kind, before, mine)];
  const names = Object.keys(kind.labels) as (keyof D & string)[];
  const fields = names.map((name): ConflictField => ({
    name,
    label: kind.labels[name],
    before: first[name],
    theirs: theirs[name],
    mine: own[name],
  }));
  return (
    <FieldConflict
      key={etag}
      what={kind.texts.one}
      fields={fields.filter((field) => !isSame(field.theirs, field.mine))}
      isSaving={isSaving}
      onSave={(values) => {
        const chosen = Object.fromEntries(
          names.flatMap((name) => (values.has(name) ? [[name, values.get(name)]] : [])),
        );
        onSave({ ...theirs, ...chosen }, etag);
      }}
      onTakeTheirs={onTakeTheirs}
    />
  );
}

/** A draft as the server would return it: without empty lines, for one. */
function tidy<R extends NamedRecord, D extends Switched>(kind: RecordKind<R, D>, record: R, draft: D): D {
  return kind.toDraft({ ...record, ...kind.toBody(draft) });
}
