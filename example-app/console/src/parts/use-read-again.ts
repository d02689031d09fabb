import { useQueryClient } from "@tanstack/react-query";

/** What every change of routing may change: what one waits for, and what follows. */
const KEYS = ["rules", "trace"];
const LATER = ["revisions", "findings", "tests"];

/** A function that reads again what a change of routing may have changed, and the lists with these keys. */
export function useReadAgain(): (...keys: string[]) => Promise<unknown> {
  const client = useQueryClient();
  const read = (key: string) => client.invalidateQueries({ queryKey: [key] });
  return (...keys) => {
    for (const key of LATER) void read(key);
    return Promise.all([...KEYS, ...keys].map(read));
  };
}
