import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { records } from "../../texts/en/records.js";
import { Confirm } from "../confirm.js";
import { Refusal } from "../refusal.js";
import { useForgottenFocus } from "../use-returned-focus.js";
import { useAllowedWrite, type Allowance } from "../use-allowed-write.js";
import type { NamedRecord, RecordTexts } from "./kind.js";
import { visible } from "../visible.js";

interface DeleteRecordProps {
  kind: {
    readonly key: string;
    readonly texts: Pick<RecordTexts, "delete" | "deleteNamed" | "deleted" | "notDeleted">;
    readonly requests: { remove: (id: string, seen: string | undefined, allowed: Allowance) => Promise<unknown> };
  };
  record: NamedRecord;
  etag: string | undefined;
  onDeleted: () => void;
}

/** Deletes a record after a question. What still uses it is in the error. */
export function DeleteRecord({ kind, record, etag, onDeleted }: Readonly<DeleteRecordProps>) {
  const [isAsked, setAsked] = useState<boolean>(); // not yet
  const forgetFocus = useForgottenFocus();
  const remove = useAllowedWrite(
    async (_values: undefined, allowed) => {
      await kind.requests.remove(record.id, etag, allowed);
      forgetFocus();
      onDeleted();
      return { text: kind.texts.deleted({ name: record.name }), id: record.id };
    },
    [kind.key],
  );
  if (isAsked !== true) {
    return (
      <Button
        autoFocus={isAsked === false} // it was asked, and comes back
        variant="subtle"
        color="red"
        onClick={() => {
          setAsked(true);
        }}
      >
        {records.delete}
      </Button>
    );
  }
  return (
    <Stack gap="sm" flex="1 1 100%">
      <Refusal writing={remove} title={kind.texts.notDeleted} action={records.deleteAnyway} />
      <Confirm
        title={kind.texts.deleteNamed({ name: visible(record.name) })}
        action={kind.texts.delete}
        isPending={remove.isPending}
        onConfirm={() => {
          remove.mutate(undefined);
        }}
        onCancel={() => {
          setAsked(false);
        }}
      >
        {records.aboutDelete}
      </Confirm>
    </Stack>
  );
}
