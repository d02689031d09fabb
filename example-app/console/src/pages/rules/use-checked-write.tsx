import { Button, Group, Modal, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { readTried } from "../../parts/tried.js";
import type { Done } from "../../parts/notices/use-notice.js";
import { useAllowedWrite, type Allowance } from "../../parts/use-allowed-write.js";
import { previewChange, type PreviewedLogin, type RuleChange } from "./requests.js";
import { Changes } from "./what-if.js";

export interface CheckedWriteOptions<V> {
  policyId: string;
  /** A question: `Move the rule Phones?` */
  titleOf: (values: V) => string;
  /** On the button that does it. */
  action: string;
  changeOf: (values: V) => RuleChange;
  write: (values: V, allowed: Allowance) => Promise<Done>;
}

interface Asked<V> {
  readonly values: V;
  readonly results: readonly PreviewedLogin[];
}

/**
 * A write that asks first if logins that were tried last would go elsewhere. Without a preview, as when the connection is
 * lost, it writes: then the write tells what is wrong.
 */
export function useCheckedWrite<V>({ policyId, titleOf, action, changeOf, write }: CheckedWriteOptions<V>) {
  const [asked, setAsked] = useState<Asked<V>>();
  const writing = useAllowedWrite(write);
  const check = useMutation({
    mutationFn: async (values: V) => {
      const tried = readTried();
      return tried.length === 0 ? [] : previewChange(policyId, changeOf(values), tried);
    },
    onSuccess: (results, values) => {
      if (results.some(({ changed }) => changed)) setAsked({ values, results });
      else writing.mutate(values);
    },
    onError: (_error, values) => {
      writing.mutate(values);
    },
  });
  const close = () => {
    setAsked(undefined);
  };
  const dialog: ReactNode = asked && (
    <Modal
      opened
      onClose={close}
      title={titleOf(asked.values)}
      closeButtonProps={{ "aria-label": "Close" }}
      attributes={{ header: { role: "presentation" } }}
      centered
    >
      <Stack>
        <Changes results={asked.results} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            data-autofocus
            onClick={() => {
              close();
              writing.mutate(asked.values);
            }}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
  return {
    start: check.mutate,
    isPending: check.isPending || writing.isPending,
    error: writing.error,
    anyway: writing.anyway,
    dialog,
  };
}
