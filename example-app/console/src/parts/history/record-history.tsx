import { Box, Button, Fieldset, Group, Loader, Stack, Text } from "@mantine/core";
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { policyQuery } from "../../api/queries.js";
import type { ListedRevision } from "../../api/types.js";
import { useScope } from "../../session/use-session.js";
import { ReadingProblem } from "../reading-problem.js";
import { When } from "../when.js";
import { ChangedLines, type Describe } from "./lines.js";
import { changesQuery, revisionsQuery } from "./requests.js";
import { Restore } from "./restore.js";
import { useMayRestore } from "./use-may-restore.js";
import { describeAuthor } from "./words.js";

interface RecordHistoryProps {
  /** The id of the record. */
  id: string;
  /** What it is: `rule`. */
  one: string;
  describe: Describe;
  onRestored: () => void;
}

/** What was changed of a record, by whom, and a way back. It is read when one asks for it. */
export function RecordHistory(props: Readonly<RecordHistoryProps>) {
  const [isOpen, setOpen] = useState(false);
  const mayRead = [
    useScope("policies.read"),
    useScope("idps.read"),
    useScope("zones.read"),
    useScope("trustedOrigins.read"),
  ].every(Boolean);
  if (!mayRead) return null;
  return (
    <Fieldset legend="History">
      {isOpen ? (
        <Entries {...props} />
      ) : (
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            setOpen(true);
          }}
        >
          Show its history
        </Button>
      )}
    </Fieldset>
  );
}

function Entries({ id, one, describe, onRestored }: Readonly<RecordHistoryProps>) {
  const { data: policy } = useSuspenseQuery(policyQuery);
  const query = useInfiniteQuery(revisionsQuery(policy.id, id));
  const { data: revisions = [], error, isLoading, hasNextPage, isFetchingNextPage } = query;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.focus(); // the button that opened it is gone
  }, []);
  return (
    <Stack gap="md" ref={place} tabIndex={-1}>
      <ReadingProblem error={error} />
      {isLoading && <Loader size="xs" aria-label="Reading the history" />}
      {query.isSuccess && revisions.length === 0 && (
        <Text size="sm" c="dimmed">
          The history has no change of this {one}.
        </Text>
      )}
      {revisions.map((revision, index) => (
        <Entry
          key={revision.revision}
          policyId={policy.id}
          id={id}
          one={one}
          revision={revision}
          isNewest={index === 0}
          describe={describe}
          onRestored={onRestored}
        />
      ))}
      {hasNextPage && (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older changes
        </Button>
      )}
    </Stack>
  );
}

interface EntryProps extends RecordHistoryProps {
  policyId: string;
  revision: ListedRevision;
  isNewest: boolean;
}

function Entry({ policyId, id, one, revision, isNewest, describe, onRestored }: Readonly<EntryProps>) {
  const { data: changes, error } = useInfiniteQuery(changesQuery(policyId, revision.revision, id));
  const mayRestore = useMayRestore();
  const [change] = changes ?? [];
  return (
    <Box>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs" mb={4}>
        <Text size="sm" className="foreign">
          <Text span fw={600} inherit>
            <When date={revision.published} />
          </Text>{" "}
          <Text span c="dimmed" inherit>
            {describeAuthor(revision)}
          </Text>
        </Text>
        {mayRestore && !isNewest && change?.after && (
          <Restore
            policyId={policyId}
            label="Bring this back"
            what={`the ${one} of ${revision.published}`}
            title={`Bring back the ${one} as it was then?`}
            find={() => ({ revision: revision.revision, targets: [id] })}
            onRestored={onRestored}
          />
        )}
      </Group>
      <ReadingProblem error={error} />
      {change && <ChangedLines before={change.before} after={change.after} describe={describe} />}
    </Box>
  );
}
