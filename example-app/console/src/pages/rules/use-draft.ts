import { useState } from "react";
import type { Draft } from "./draft.js";

const KEY = "etiquette.draft";

/** A draft in this tab, which outlives the session: whoever must sign in again loses nothing. */
interface KeptDraft {
  /** The id of the rule. */
  readonly id: string;
  /** The entity tag of the version that the draft began with. */
  readonly etag: string | undefined;
  readonly draft: Draft;
}

/** @param id of the rule; one that others have changed meanwhile begins anew */
export function useDraft(id: string, etag: string | undefined, initial: () => Draft) {
  const [kept] = useState(() => readKept(id, etag));
  const [isRestored, setRestored] = useState(kept !== undefined);
  const [draft, setDraft] = useState<Draft>(() => kept ?? initial());
  return {
    draft,
    isRestored,
    change: (changes: Partial<Draft>) => {
      const changed = { ...draft, ...changes };
      setDraft(changed);
      sessionStorage.setItem(KEY, JSON.stringify({ id, etag, draft: changed } satisfies KeptDraft));
    },
    startOver: () => {
      forgetDraft();
      setRestored(false);
      setDraft(initial());
    },
  };
}

export function forgetDraft(): void {
  sessionStorage.removeItem(KEY);
}

function readKept(id: string, etag: string | undefined): Draft | undefined {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as KeptDraft | null;
  return kept?.id === id && kept.etag === etag ? kept.draft : undefined;
}
