import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../confirm.js";
import { Problem } from "../problem.js";
import type { NamedRecord } from "./kind.js";
import { useRecordWrite } from "./use-record-write.js";
import { visible } from "../visible.js";

interface DeleteRecordProps {
  kind: {
    readonly key: string;
    readonly one: string;
    readonly requests: { remove: (id: string, seen: string | undefined) => Promise<unknown> };
  };
  record: NamedRecord;
  etag: string | undefined;
  onDeleted: () => void;
}

/** Deletes a record after a question. What still uses it is in the error. */
export function DeleteRecord({ kind, record, etag, onDeleted }: Readonly<DeleteRecordProps>) {
  const [isAsked, setAsked] = useState(false);
  const remove = useRecordWrite(kind.key, async () => {
    await kind.requests.remove(record.id, etag);
    onDeleted();
  });
  if (!isAsked) {
    return (
      <Button
        variant="subtle"
        color="red"
        onClick={() => {
          setAsked(true);
        }}
      >
        Delete
      </Button>
    );
  }
  return (
    <Stack gap="sm" flex="1 1 100%">
      {remove.error && <Problem error={remove.error} title={`The ${kind.one} was not deleted`} />}
      <Confirm
        title={`Delete the ${kind.one} ${visible(record.name)}?`}
        action={`Delete the ${kind.one}`}
        isPending={remove.isPending}
        onConfirm={() => {
          remove.mutate(undefined);
        }}
        onCancel={() => {
          setAsked(false);
        }}
      >
        The page History can bring it back. Nothing is deleted while rules use it.
      </Confirm>
    </Stack>
  );
}
