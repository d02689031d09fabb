import { useMutation, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

interface Work<T, V> {
  readonly run: UseMutationResult<T, Error, V>;
  readonly cancel: () => void;
}

/** Long work that one can cancel. It ends with the page. */
export function useWork<T, V>(
  work: (values: V, signal: AbortSignal) => Promise<T>,
  options: Pick<UseMutationOptions<T, Error, V>, "onSuccess" | "onSettled"> = {},
): Work<T, V> {
  const controller = useRef<AbortController | undefined>(undefined);
  useEffect(
    () => () => {
      controller.current?.abort();
    },
    [],
  );
  const run = useMutation<T, Error, V>({
    ...options,
    mutationFn(values) {
      controller.current = new AbortController();
      return work(values, controller.current.signal);
    },
  });
  return {
    run,
    cancel() {
      controller.current?.abort();
    },
  };
}

/** Whether work failed because it was cancelled. */
export function isCancelled(error: Error | null): boolean {
  return error?.name === "AbortError";
}
