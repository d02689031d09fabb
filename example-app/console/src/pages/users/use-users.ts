import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { User } from "../../api/types.js";
import { useNotice, type Done } from "../../parts/notices/use-notice.js";
import { readUser } from "./requests.js";
import { visible } from "../../parts/visible.js";

/** A user with the entity tag, read once for each time that somebody opens the user. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ["user", id],
    queryFn: ({ signal }) => readUser(id, signal),
    staleTime: Infinity,
    gcTime: 0,
  });

/** Whatever a write does, the list and the traces are read again, and what it has done is told. */
export function useUserWrite<V>(write: (values: V) => Promise<Done | undefined>) {
  const client = useQueryClient();
  const tell = useNotice();
  return useMutation({
    mutationFn: write,
    onSuccess(done) {
      if (done) tell(done);
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["users"] }),
        client.invalidateQueries({ queryKey: ["trace"] }),
      ]),
  });
}

export function nameOf({ profile: { firstName, lastName } }: Pick<User, "profile">): string {
  return visible(`${firstName} ${lastName}`);
}
