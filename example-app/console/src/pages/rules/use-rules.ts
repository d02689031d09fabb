import { useMutation } from "@tanstack/react-query";
import { ApiProblem } from "../../api/http.js";
import { useReadAgain } from "../../parts/use-read-again.js";
import { useRulePages } from "../../parts/use-rule-pages.js";
import type { Allowance } from "./requests.js";

/** Every rule, in order. They are shown as they come, page by page. */
export function useRules() {
  return useRulePages("all", Infinity);
}

/** What lets a write through that was refused with this code. */
const ALLOWANCES: Readonly<Record<string, Allowance>> = { E0009101: { allowShadowing: "true" } };

/**
 * Whatever a write does, the rules and what follows from them are read again. `anyway` writes nevertheless what was refused because of
 * what it does to other rules.
 */
export function useRuleWrite<V>(write: (values: V, allowed: Allowance) => Promise<unknown>) {
  const readAgain = useReadAgain();
  const { mutate, variables, error, isPending } = useMutation({
    mutationFn: ({ values, allowed }: { values: V; allowed: Allowance }) => write(values, allowed),
    onSettled: () => readAgain(),
  });
  const more = error instanceof ApiProblem ? ALLOWANCES[error.code] : undefined;
  return {
    mutate: (values: V) => {
      mutate({ values, allowed: {} });
    },
    anyway:
      more && variables
        ? () => {
            mutate({ values: variables.values, allowed: { ...variables.allowed, ...more } });
          }
        : undefined,
    error,
    isPending,
  };
}
