import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { SESSION_KEY } from "../api/queries.js";
import { ApiProblem, send } from "../api/http.js";
import type { Session } from "../api/types.js";

export const SessionContext = createContext<Session | null>(null);

/** The session, on pages that only those see who have one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession() is for pages of those who are signed in");
  return session;
}

/** Whether the token has `scope`, given without the namespace: `policies.manage`. */
export function useScope(scope: string): boolean {
  const { token, namespace } = useSession();
  const wanted = `${namespace}.${scope}`;
  return token.scopes.includes(wanted) || token.scopes.includes(wanted.replace(/\.read$/, ".manage"));
}

/** A function that ends the session. It throws what the server, which then still has the session, answers. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await send("/console/session", { method: "DELETE" }).catch((error: unknown) => {
      if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
    });
    await client.cancelQueries({ queryKey: SESSION_KEY }); // it may be about to tell of the session that was
    sessionStorage.clear();
    client.setQueryData(SESSION_KEY, null);
    client.removeQueries({ predicate: ({ queryKey: [first] }) => first !== SESSION_KEY[0] });
  };
}
