import { useMutation, useQueryClient } from "@tanstack/react-query";

/** Whatever a write does, the records, and the rules and traces that name them, are read again. */
export function useRecordWrite<V>(key: string, write: (values: V) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    onSettled: () => Promise.all([key, "rules", "trace"].map((name) => client.invalidateQueries({ queryKey: [name] }))),
  });
}
