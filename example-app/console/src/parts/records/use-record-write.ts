import { useMutation } from "@tanstack/react-query";
import { useReadAgain } from "../use-read-again.js";

/** Whatever a write does, the records, and what names them, are read again. */
export function useRecordWrite<V>(key: string, write: (values: V) => Promise<unknown>) {
  const readAgain = useReadAgain();
  return useMutation({ mutationFn: write, onSettled: () => readAgain(key) });
}
