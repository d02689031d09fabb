import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readTried, type Question } from "../../parts/tried.js";
import { previewChange, type Preview, type RuleChange } from "./requests.js";

/** The pause after the last key before a request is sent, in milliseconds. */
const DEBOUNCE_MS = 400;

/** So long a preview is as good as new, and so long a save waits for one. */
const FRESH_MS = 5_000;
const PATIENCE_MS = 1_000;

const previewQuery = (policyId: string, text: string, tried: readonly Question[]) =>
  queryOptions({
    queryKey: ["trace", "preview", policyId, text, tried],
    queryFn: ({ signal }) => previewChange(policyId, JSON.parse(text) as RuleChange, tried, signal),
    retry: false,
  });

/** What a change would do, while one makes it. */
export function usePreview(policyId: string, change: RuleChange | undefined) {
  const [tried] = useState(readTried);
  const [text] = useDebouncedValue(change && JSON.stringify(change), DEBOUNCE_MS);
  return useQuery({
    ...previewQuery(policyId, text ?? "{}", tried),
    enabled: text !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** A function that tells what a change is about to do; `undefined` if nobody can tell soon. */
export function useRehearsal(policyId: string): (change: RuleChange) => Promise<Preview | undefined> {
  const client = useQueryClient();
  return (change) => {
    const query = previewQuery(policyId, JSON.stringify(change), readTried());
    const preview = client.query({ ...query, staleTime: FRESH_MS }).catch(() => undefined);
    return Promise.race([preview, new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  };
}
