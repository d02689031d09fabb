import { Center, Loader } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { send } from "../api/http.js";
import { ENDED_KEY, SESSION_KEY, sessionQuery } from "../api/queries.js";
import { SignIn } from "./sign-in.js";
import { SessionContext } from "./use-session.js";

/** The code of a link to the console, which leaves the address at once: neither history nor a bookmark has it. */
function takeCode(): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (code !== undefined) window.history.replaceState(null, "", window.location.pathname + window.location.search);
  return code;
}

const linkCode = takeCode();

/** Shows its children to whoever has a session, and the page to sign in to others. */
export function SignedIn({ children }: Readonly<{ children: ReactNode }>) {
  const [isRedeeming, setRedeeming] = useState(linkCode !== undefined);
  const [linkError, setLinkError] = useState<Error>();
  const client = useQueryClient();
  const session = useQuery({ ...sessionQuery, enabled: !isRedeeming });
  const { data: hasEnded } = useQuery<boolean>({ queryKey: ENDED_KEY, queryFn: () => false, staleTime: Infinity });

  useEffect(() => {
    if (linkCode === undefined || isSent(linkCode)) return;
    send("/console/session", { method: "POST", body: { code: linkCode } })
      .catch(setLinkError)
      .finally(() => {
        setRedeeming(false);
      });
  }, []);

  if (session.data) return <SessionContext value={session.data}>{children}</SessionContext>;
  if (isRedeeming || session.isPending) {
    return (
      <Center h="100vh" component="main">
        <title>Console</title>
        <Loader aria-label="Signing in" />
      </Center>
    );
  }
  return (
    <SignIn
      error={linkError ?? session.error ?? undefined}
      hasEnded={hasEnded === true}
      onSignedIn={() => {
        setLinkError(undefined);
        client.setQueryData(ENDED_KEY, false);
        void client.refetchQueries({ queryKey: SESSION_KEY });
      }}
    />
  );
}

const sent = new Set<string>();

/** In development, React runs effects twice. */
function isSent(code: string): boolean {
  const wasSent = sent.has(code);
  sent.add(code);
  return wasSent;
}
