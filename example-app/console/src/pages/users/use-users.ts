import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { User } from "../../api/types.js";
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

/** Whatever a write does, the list and the traces are read again. */
export function useUserWrite<V>(write: (values: V) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
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
