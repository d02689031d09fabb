import { useDeferredValue, useMemo } from "react";
import { sortByName } from "./collate.js";
import { hasWords, splitWords } from "./find-words.js";

/** The records whose names have every word of a search, as people sort them. */
export function useFoundByName<T extends { readonly name: string }>(records: readonly T[], search: string): T[] {
  const asked = useDeferredValue(search);
  const sorted = useMemo(() => sortByName(records), [records]);
  return useMemo(() => {
    const words = splitWords(asked);
    return words.length === 0 ? sorted : sorted.filter(({ name }) => hasWords(name, words));
  }, [sorted, asked]);
}
