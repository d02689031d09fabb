import { useMutation } from "@tanstack/react-query";
import { ApiProblem } from "../api/http.js";
import { useNotice, type Done } from "./notices/use-notice.js";
import { useReadAgain } from "./use-read-again.js";

/** What a write may do to routing. */
export interface Allowance {
  readonly allowShadowing?: "true";
  readonly allowFailingTests?: "true";
}

/** What lets a write through that was refused with this code. */
const ALLOWANCES: Readonly<Record<string, Allowance>> = {
  E0009101: { allowShadowing: "true" },
  E0009102: { allowFailingTests: "true" },
};

/**
 * Whatever a write does, what follows from it is read again, and what it has done is told. `anyway` writes nevertheless what was
 * refused because of what it does to routing, or other values in its place.
 *
 * @param keys the lists that it changes
 */
export function useAllowedWrite<V>(
  write: (values: V, allowed: Allowance) => Promise<Done | undefined>,
  keys: readonly string[] = [],
) {
  const readAgain = useReadAgain();
  const tell = useNotice();
  const { mutate, variables, error, isPending, reset } = useMutation({
    mutationFn: ({ values, allowed }: { values: V; allowed: Allowance }) => write(values, allowed),
    onSuccess(done) {
      if (done) tell(done);
    },
    onSettled: () => readAgain(...keys),
  });
  const more = error instanceof ApiProblem ? ALLOWANCES[error.code] : undefined;
  return {
    mutate: (values: V) => {
      mutate({ values, allowed: {} });
    },
    anyway:
      more && variables
        ? (values: V = variables.values) => {
            mutate({ values, allowed: { ...variables.allowed, ...more } });
          }
        : undefined,
    /** What was to be written last. */
    values: variables?.values,
    error,
    isPending,
    reset,
  };
}
