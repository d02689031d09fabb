import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { isOutage, send } from "../api/http.js";
import { ENDED_KEY, RETRY_MS, SESSION_KEY, sessionQuery } from "../api/queries.js";
import { later } from "../parts/later.js";
import { Frame } from "../shell/frame.js";
import { Unreachable } from "./unreachable.js";
import { SessionContext } from "./use-session.js";

/** The code of a link to the console, which leaves the address at once: neither history nor a bookmark has it. */
function takeCode(): string | undefined {
  const code = /^#code=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (code !== undefined) window.history.replaceState(null, "", window.location.pathname + window.location.search);
  return code;
}

const linkCode = takeCode();

const SignIn = later(async () => (await import("./sign-in.js")).SignIn);

/** Shows its children to whoever has a session, and the page to sign in to others. */
export function SignedIn({ children }: Readonly<{ children: ReactNode }>) {
  const [code, setCode] = useState(linkCode);
  const [linkError, setLinkError] = useState<Error>();
  const client = useQueryClient();
  const session = useQuery({
    ...sessionQuery,
    enabled: code === undefined,
    refetchInterval: ({ state: { error } }) => (isOutage(error) ? RETRY_MS : false),
  });
  const { data: hasEnded } = useQuery<boolean>({ queryKey: ENDED_KEY, queryFn: () => false, staleTime: Infinity });
  useEffect(() => {
    const onHash = () => {
      setCode((before) => takeCode() ?? before);
    };
    window.addEventListener("hashchange", onHash);
    return () => {
      window.removeEventListener("hashchange", onHash);
    };
  }, []);
  useEffect(() => {
    if (code === undefined || isSent(code)) return;
    send("/console/session", { method: "POST", body: { code } })
      .then(() => {
        setLinkError(undefined);
        client.setQueryData(ENDED_KEY, false);
        return client.resetQueries({ queryKey: SESSION_KEY });
      }, setLinkError)
      .finally(() => {
        setCode(undefined);
      });
  }, [code, client]);

  if (session.data) return <SessionContext value={session.data}>{children}</SessionContext>;
  if (code !== undefined || session.isPending) return <Frame />;
  if (isOutage(session.error)) return <Unreachable error={session.error} onRetry={() => void session.refetch()} />;
  return (
    <Suspense fallback={<Frame />}>
      <SignIn
        error={linkError ?? session.error ?? undefined}
        hasEnded={hasEnded === true}
        onSignedIn={() => {
          setLinkError(undefined);
          client.setQueryData(ENDED_KEY, false);
          void client.refetchQueries({ queryKey: SESSION_KEY });
        }}
      />
    </Suspense>
  );
}

const sent = new Set<string>();

/** In development, React runs effects twice. */
function isSent(code: string): boolean {
  const wasSent = sent.has(code);
  sent.add(code);
  return wasSent;
}
