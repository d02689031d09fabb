import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiProblem, isOutage } from "./api/http.js";
import { ENDED_KEY, RETRY_MS, SESSION_KEY } from "./api/queries.js";

/** Whoever is not signed in any more sees the page to sign in; what the pages have read is forgotten. */
function onError(error: Error): void {
  if (!(error instanceof ApiProblem) || error.status !== 401 || !queries.getQueryData(SESSION_KEY)) return;
  queries.setQueryData(ENDED_KEY, true);
  queries.setQueryData(SESSION_KEY, null);
  queries.removeQueries({ predicate: ({ queryKey: [first] }) => first !== SESSION_KEY[0] && first !== ENDED_KEY[0] });
}

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchInterval: ({ state: { error, status } }) => (status === "error" && isOutage(error) ? RETRY_MS : false),
      retry: (count, error) => count < 2 && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
    },
  },
});
