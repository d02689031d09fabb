import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiProblem, isOutage } from "./api/http.js";
import { endSession, RETRY_MS, SESSION_KEY } from "./api/queries.js";

function onError(error: Error): void {
  if (error instanceof ApiProblem && error.status === 401 && queries.getQueryData(SESSION_KEY)) endSession(queries);
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
