import { useRef, useState } from "react";
import { isSame } from "./field-conflict.js";

const KEY = "etiquette.draft";

/** What somebody wrote into a form and did not save, in this tab. It outlives the session and the page. */
interface Kept<D> {
  /** The address of the form: `/rules/abc`. */
  readonly form: string;
  /** What the form began with. */
  readonly first: D;
  readonly draft: D;
}

export interface DraftState<D> {
  readonly draft: D;
  /** Whether it was written before this form was opened. */
  readonly isRestored: boolean;
  readonly change: (changes: Partial<D>) => void;
  readonly startOver: () => void;
}

/**
 * What a form holds. It is kept as long as it differs from `initial`.
 *
 * @param form the address of the form
 * @param initial what is stored now. What is kept changes the same members of it, if others have changed it meanwhile
 */
export function useDraft<D extends object>(form: string, initial: () => D): DraftState<D> {
  const [first] = useState(initial);
  const [kept] = useState(() => readKept<D>(form));
  const [isRestored, setRestored] = useState(kept !== undefined);
  const [draft, setDraft] = useState<D>(() => (kept ? { ...first, ...changesOf(kept) } : first));
  const latest = useRef(draft); // a change may come later than its form was drawn
  return {
    draft,
    isRestored,
    change(changes) {
      const changed = { ...latest.current, ...changes };
      latest.current = changed;
      setDraft(changed);
      if (isSame(changed, first)) forgetDraft(form);
      else sessionStorage.setItem(KEY, JSON.stringify({ form, first, draft: changed } satisfies Kept<D>));
    },
    startOver() {
      forgetDraft(form);
      setRestored(false);
      latest.current = first;
      setDraft(first);
    },
  };
}

/** Whether something in the form is not saved. */
export function hasDraft(form: string): boolean {
  return readKept(form) !== undefined;
}

/** It was saved, or nobody wants it. */
export function forgetDraft(form: string): void {
  if (hasDraft(form)) sessionStorage.removeItem(KEY);
}

function readKept<D>(form: string): Kept<D> | undefined {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Kept<D> | null;
  return kept?.form === form ? kept : undefined;
}

function changesOf<D extends object>({ first, draft }: Kept<D>): Partial<D> {
  const names = Object.keys(draft) as (keyof D)[];
  return Object.fromEntries(
    names.filter((name) => !isSame(draft[name], first[name])).map((name) => [name, draft[name]]),
  ) as Partial<D>;
}
