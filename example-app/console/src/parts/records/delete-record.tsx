import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../confirm.js";
import { Refusal } from "../refusal.js";
import { useForgottenFocus } from "../use-returned-focus.js";
import { useAllowedWrite, type Allowance } from "../use-allowed-write.js";
import type { NamedRecord } from "./kind.js";
import { visible } from "../visible.js";

interface DeleteRecordProps {
  kind: {
    readonly key: string;
    readonly one: string;
    readonly requests: { remove: (id: string, seen: string | undefined, allowed: Allowance) => Promise<unknown> };
  };
  record: NamedRecord;
  etag: string | undefined;
  onDeleted: () => void;
}

/** Deletes a record after a question. What still uses it is in the error. */
export function DeleteRecord({ kind, record, etag, onDeleted }: Readonly<DeleteRecordProps>) {
  const [isAsked, setAsked] = useState(false);
  const forgetFocus = useForgottenFocus();
  const remove = useAllowedWrite(
    async (_values: undefined, allowed) => {
      await kind.requests.remove(record.id, etag, allowed);
      forgetFocus();
      onDeleted();
      return { text: `Deleted the ${kind.one} ${record.name}`, id: record.id };
    },
    [kind.key],
  );
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
      <Refusal writing={remove} title={`The ${kind.one} was not deleted`} action="Delete anyway" />
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
