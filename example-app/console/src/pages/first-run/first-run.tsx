import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { later } from "../../parts/later.js";
import { useScope, useSession } from "../../session/use-session.js";
import { hasIdpQuery, useHasRule } from "./queries.js";

const KEY = "etiquette.first-run";

type State = "open" | "away";

const Steps = later(async () => (await import("./steps.js")).Steps);

/** What to do first in an org that has no identity provider or no rule yet, until one puts it away in this browser. */
export function FirstRun() {
  const { org } = useSession();
  const isAdministrator = [useScope("idps.manage"), useScope("policies.manage")].every(Boolean);
  const key = `${KEY}.${org.id}`;
  const [state, setState] = useState(() => localStorage.getItem(key));
  const keep = (next: State) => {
    localStorage.setItem(key, next);
    setState(next);
  };
  if (state === "away" || !isAdministrator) return null;
  if (state !== "open") return <Look onSeen={keep} />;
  return (
    <Suspense fallback={null}>
      <Steps
        onClose={() => {
          keep("away");
        }}
      />
    </Suspense>
  );
}

/** Looks once what the org has. */
function Look({ onSeen }: Readonly<{ onSeen: (state: State) => void }>) {
  const { data: hasIdp } = useQuery(hasIdpQuery);
  const hasRule = useHasRule();
  const isKnown = hasIdp !== undefined && hasRule !== undefined;
  const isSetUp = hasIdp === true && hasRule === true;
  useEffect(() => {
    if (isKnown) onSeen(isSetUp ? "away" : "open");
  }, [isKnown, isSetUp, onSeen]);
  return null;
}
