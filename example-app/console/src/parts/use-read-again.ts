import { useQueryClient } from "@tanstack/react-query";

/** What every change of routing may change. */
const KEYS = ["rules", "trace", "revisions", "findings", "tests"];

/** A function that reads again what a change of routing may have changed, and the lists with these keys. */
export function useReadAgain(): (...keys: string[]) => Promise<unknown> {
  const client = useQueryClient();
  return (...keys) => Promise.all([...KEYS, ...keys].map((key) => client.invalidateQueries({ queryKey: [key] })));
}
