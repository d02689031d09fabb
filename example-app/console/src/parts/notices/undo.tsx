import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { policyQuery } from "../../api/queries.js";
import { send, withQuery } from "../../api/http.js";
import type { ListedRevision } from "../../api/types.js";
import { useSession } from "../../session/use-session.js";
import { makeRestore } from "../history/requests.js";
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
      if (newest?.revision !== revision) throw new Error("It was changed again meanwhile: see the page History.");
      await makeRestore(policyId, { revision: revision - 1, targets: [id] }, undefined, allowed);
      onUndone({ text: "The change was taken back" });
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
        Undo
      </Button>
      <Refusal writing={undo} title="Nothing was taken back" action="Undo anyway" />
    </>
  );
}

/** The newest change of a record. */
async function readNewest(policyId: string, id: string, signal?: AbortSignal): Promise<ListedRevision | undefined> {
  const path = withQuery(`/api/v1/policies/${policyId}/revisions`, { limit: 1, target: id });
  return (await send<ListedRevision[]>(path, { signal })).data[0];
}
