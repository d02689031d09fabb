import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { policyQuery } from "../../api/queries.js";
import { send, withQuery } from "../../api/http.js";
import type { ListedRevision } from "../../api/types.js";
import { useSession } from "../../session/use-session.js";
import { undo as texts } from "../../texts/en/undo.js";
import { makeRestore, MAX_TARGETS } from "../history/requests.js";
import { Refusal } from "../refusal.js";
import { useAllowedWrite } from "../use-allowed-write.js";
import type { Done } from "./use-notice.js";

/** Before it there was nothing. */
const FIRST = 1;

interface UndoProps {
  /** The record that was just changed. */
  id: string;
  /** When it was: each change of a record has its own revision. */
  at: number;
  onUndone: (done: Done) => void;
}

/** Takes back the change that this session has just made of a record, unless somebody else has changed it since. */
export function Undo({ id, at, onUndone }: Readonly<UndoProps>) {
  const { token } = useSession();
  const { data: policy } = useQuery(policyQuery);
  const policyId = policy?.id ?? "";
  const made = useQuery({
    queryKey: ["made", policyId, id, at],
    queryFn: ({ signal }) => readNewest(policyId, id, signal),
    enabled: policy !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
  const undo = useAllowedWrite(
    async ({ revision }: ListedRevision, allowed) => {
      const newest = await readNewest(policyId, id);
      if (newest?.revision !== revision) throw new Error(texts.changedAgain);
      await makeRestore(policyId, { revision: revision - 1, targets: [id] }, undefined, allowed);
      onUndone({ text: texts.done });
      return undefined;
    },
    ["idps", "zones", "trustedOrigins"],
  );
  const { data: revision } = made;
  if (revision?.actor.id !== token.id || revision.revision <= FIRST) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={undo.isPending}
        onClick={() => {
          undo.mutate(revision);
        }}
      >
        {texts.undo}
      </Button>
      <Refusal writing={undo} title={texts.failed} action={texts.anyway} />
    </>
  );
}

interface UndoAllProps {
  ids: readonly string[];
  /** The revision before their changes. */
  since: number;
  onUndone: (done: Done) => void;
}

/** Takes back what this session has just changed of several records, unless somebody has changed anything since. */
export function UndoAll({ ids, since, onUndone }: Readonly<UndoAllProps>) {
  const { token } = useSession();
  const { data: policy } = useQuery(policyQuery);
  const undo = useAllowedWrite(
    async (policyId: string, allowed) => {
      const path = withQuery(`/api/v1/policies/${policyId}/revisions`, { limit: MAX_TARGETS });
      const { data } = await send<ListedRevision[]>(path);
      const later = data.filter(({ revision }) => revision > since);
      if (later.length !== ids.length || later.some(({ actor }) => actor.id !== token.id)) {
        throw new Error(texts.othersChanged);
      }
      await makeRestore(policyId, { revision: since, targets: ids }, undefined, allowed);
      onUndone({ text: texts.allDone });
      return undefined;
    },
    ["idps", "zones", "trustedOrigins"],
  );
  if (!policy) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={undo.isPending}
        onClick={() => {
          undo.mutate(policy.id);
        }}
      >
        {texts.undoAll}
      </Button>
      <Refusal writing={undo} title={texts.failed} action={texts.anyway} />
    </>
  );
}

/** The newest change of a record. */
async function readNewest(policyId: string, id: string, signal?: AbortSignal): Promise<ListedRevision | undefined> {
  const path = withQuery(`/api/v1/policies/${policyId}/revisions`, { limit: 1, target: id });
  return (await send<ListedRevision[]>(path, { signal })).data[0];
}
