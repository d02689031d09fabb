import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";
import type { Rule } from "../../api/types.js";
import { useMayRestore } from "../../parts/history/use-may-restore.js";
import { useNotice } from "../../parts/notices/use-notice.js";
import { Problem } from "../../parts/problem.js";
import { Question } from "../../parts/question.js";
import { useAllowedWrite } from "../../parts/use-allowed-write.js";
import { visible } from "../../parts/visible.js";
import { Waiting } from "../../parts/waiting.js";
import { ruleBulk as texts } from "../../texts/en/rule-bulk.js";
import { rules as shared } from "../../texts/en/rules.js";
import { planSteps, previewBulk, readRevisions, type BulkChange } from "./bulk-requests.js";
import { Changes } from "./what-if.js";

/** How many rules the question names; the others are counted. */
const MAX_NAMED = 10;

interface Asked {
  readonly change: BulkChange;
  readonly chosen: ReadonlySet<string>;
}

export interface Progress {
  /** How many are done. */
  readonly done: number;
  readonly all: number;
  /** The name of the rule that is changed, or whose change was refused. */
  readonly at: string;
}

/**
 * Changes several rules, one after the other, after one question. It ends when one stops it, or with the first that is
 * refused, and tells how far it came.
 */
export function useBulk(policyId: string, rules: readonly Rule[], onDone: (ids: readonly string[]) => void) {
  const [asked, setAsked] = useState<Asked>();
  const [progress, setProgress] = useState<Progress>();
  const [run, setRun] = useState<"going" | "stopping">();
  const isStopped = useRef(false);
  const mayRestore = useMayRestore();
  const tell = useNotice();
  const preview = useMutation({ mutationFn: ({ change, chosen }: Asked) => previewBulk(rules, chosen, change) });
  const writing = useAllowedWrite(async ({ change, chosen }: Asked, allowed) => {
    setProgress(undefined);
    const steps = planSteps(rules, chosen, change);
    const since = mayRestore ? (await readRevisions(policyId, 1))[0]?.revision : undefined;
    const done: string[] = [];
    setRun("going");
    try {
      for (const step of steps) {
        if (isStopped.current) break;
        setProgress({ done: done.length, all: steps.length, at: step.rule.name });
        await step.run(policyId, allowed);
        done.push(step.rule.id);
      }
    } finally {
      isStopped.current = false;
      setRun(undefined);
      onDone(done);
      if (steps.length === 0) tell({ text: texts.already });
      else if (done.length > 0)
        tell({
          text: describeDone(change, done.length, steps.length),
          all: since === undefined ? undefined : { ids: done, since },
        });
    }
    return undefined;
  });
  const close = () => {
    setAsked(undefined);
    preview.reset();
  };
  const dialog: ReactNode = asked && (
    <Question
      title={wordsOf(asked.change).ask({ n: asked.chosen.size })}
      action={wordsOf(asked.change).action}
      onClose={close}
      onConfirm={() => {
        writing.mutate(asked);
      }}
    >
      <Text size="sm" className="foreign">
        {listNames(rules.filter(({ id }) => asked.chosen.has(id)))}
      </Text>
      {preview.isPending && <Waiting size="sm" what={texts.asking} />}
      {preview.data && <Changes preview={preview.data} />}
      {preview.error && <Problem error={preview.error} title={texts.unknown} />}
      <Text size="sm" c="dimmed">
        {texts.inTurn}
      </Text>
    </Question>
  );
  return {
    start: (change: BulkChange, chosen: ReadonlySet<string>) => {
      writing.reset();
      const next = { change, chosen };
      setAsked(next);
      preview.mutate(next);
    },
    stop: () => {
      isStopped.current = true;
      setRun("stopping");
    },
    run,
    progress,
    isPending: writing.isPending,
    writing,
    dialog,
  };
}

function wordsOf(change: BulkChange) {
  const { moveThem, switchThemOn, switchThemOff } = texts;
  if ("place" in change) {
    return { ask: texts.askMove, action: moveThem, all: texts.moved, some: texts.movedSome };
  }
  if (change.status === "ACTIVE") {
    return { ask: texts.askOn, action: switchThemOn, all: texts.switchedOn, some: texts.switchedOnSome };
  }
  return { ask: texts.askOff, action: switchThemOff, all: texts.switchedOff, some: texts.switchedOffSome };
}

/** `one, two and 38 more` */
function listNames(rules: readonly Rule[]): string {
  const names = rules.slice(0, MAX_NAMED).map(({ name }) => visible(name));
  const more = rules.length - names.length;
  const listed = names.join(shared.comma);
  return more > 0 ? texts.andMore({ names: listed, n: more }) : listed;
}

/** `Moved 12 of 40 rules` */
function describeDone(change: BulkChange, done: number, all: number): string {
  const words = wordsOf(change);
  return done === all ? words.all({ n: all }) : words.some({ done, all });
}
