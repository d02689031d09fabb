import { Anchor, Box, Button, Group, Stack, Text } from "@mantine/core";
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { policyQuery } from "../../api/queries.js";
import type { ListedRevision } from "../../api/types.js";
import { useScope } from "../../session/use-session.js";
import { changes } from "../../texts/en/changes.js";
import { pages } from "../../texts/en/pages.js";
import { ReadingProblem } from "../reading-problem.js";
import { HelpedFieldset } from "../helped-fieldset.js";
import { Waiting } from "../waiting.js";
import type { RecordTexts } from "../records/kind.js";
import { When } from "../when.js";
import { ChangedLines, type Describe } from "./lines.js";
import { changesQuery, revisionsQuery } from "./requests.js";
import { Restore } from "./restore.js";
import { useMayRead } from "./use-may-read.js";
import { useMayRestore } from "./use-may-restore.js";
import { describeAuthor } from "./words.js";

interface RecordHistoryProps {
  /** The id of the record. */
  id: string;
  texts: Pick<RecordTexts, "noChange" | "version" | "bringBack">;
  describe: Describe;
  onRestored: () => void;
}

/** What was changed of a record, by whom, and a way back. It is read when one asks for it. */
export function RecordHistory(props: Readonly<RecordHistoryProps>) {
  const [isOpen, setOpen] = useState(false);
  const mayRead = useMayRead();
  const mayReadLog = useScope("logs.read");
  if (!mayRead) return null;
  return (
    <HelpedFieldset legend={pages.history} term="history">
      {isOpen ? (
        <Entries {...props} />
      ) : (
        <Group gap="md">
          <Button
            variant="default"
            size="xs"
            onClick={() => {
              setOpen(true);
            }}
          >
            {changes.showIt}
          </Button>
          {mayReadLog && (
            <Anchor
              size="sm"
              renderRoot={(root: object) => (
                <Link to="/log" search={{ filter: `target.id eq "${props.id}"`, since: "30d" }} {...root} />
              )}
            >
              {changes.inLog}
            </Anchor>
          )}
        </Group>
      )}
    </HelpedFieldset>
  );
}

function Entries({ id, texts, describe, onRestored }: Readonly<RecordHistoryProps>) {
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
      {isLoading && <Waiting size="xs" what={changes.reading} />}
      {query.isSuccess && revisions.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.noChange}
        </Text>
      )}
      {revisions.map((revision, index) => (
        <Entry
          key={revision.revision}
          policyId={policy.id}
          id={id}
          texts={texts}
          revision={revision}
          isNewest={index === 0}
          describe={describe}
          onRestored={onRestored}
        />
      ))}
      {hasNextPage && (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {changes.older}
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

function Entry({ policyId, id, texts, revision, isNewest, describe, onRestored }: Readonly<EntryProps>) {
  const { data: made, error } = useInfiniteQuery(changesQuery(policyId, revision.revision, id));
  const mayRestore = useMayRestore();
  const [change] = made ?? [];
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
            label={changes.bringBack}
            anyway={changes.bringBackAnyway}
            what={texts.version({ date: revision.published })}
            title={texts.bringBack}
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
