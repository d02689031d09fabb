import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Question } from "../../parts/question.js";
import { readTried } from "../../parts/tried.js";
import type { Done } from "../../parts/notices/use-notice.js";
import { useAllowedWrite, type Allowance } from "../../parts/use-allowed-write.js";
import { previewChange, type Preview, type RuleChange } from "./requests.js";
import { Changes, describeMoves } from "./what-if.js";

export interface CheckedWriteOptions<V> {
  policyId: string;
  /** A question: `Move the rule Phones?` */
  titleOf: (values: V) => string;
  /** On the button that does it. */
  actionOf: (values: V) => string;
  changeOf: (values: V) => RuleChange;
  write: (values: V, allowed: Allowance) => Promise<Done | undefined>;
}

interface Asked<V> {
  readonly values: V;
  readonly preview: Preview;
}

interface Checked<V> {
  readonly values: V;
  /** Absent when nobody could tell. */
  readonly preview: Preview | undefined;
}

/**
 * A write that asks first if logins that were tried last would go elsewhere. Without a preview, as when the connection is
 * lost, it writes: then the write tells what is wrong.
 */
export function useCheckedWrite<V>({ policyId, titleOf, actionOf, changeOf, write }: CheckedWriteOptions<V>) {
  const [asked, setAsked] = useState<Asked<V>>();
  const writing = useAllowedWrite(async ({ values, preview }: Checked<V>, allowed) => {
    const done = await write(values, allowed);
    return done && { ...done, text: done.text + describeMoves(preview) };
  });
  const check = useMutation({
    mutationFn: (values: V) => previewChange(policyId, changeOf(values), readTried()),
    onSuccess: (preview, values) => {
      if (preview.tried.some(({ changed }) => changed)) setAsked({ values, preview });
      else writing.mutate({ values, preview });
    },
    onError: (_error, values) => {
      writing.mutate({ values, preview: undefined });
    },
  });
  const close = () => {
    setAsked(undefined);
  };
  const dialog: ReactNode = asked && (
    <Question
      title={titleOf(asked.values)}
      action={actionOf(asked.values)}
      onClose={close}
      onConfirm={() => {
        writing.mutate(asked);
      }}
    >
      <Changes preview={asked.preview} />
    </Question>
  );
  return {
    start: check.mutate,
    isPending: check.isPending || writing.isPending,
    error: writing.error,
    anyway: writing.anyway,
    dialog,
  };
}
