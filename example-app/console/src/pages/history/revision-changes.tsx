import { Box, Button, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { RevisedChange } from "../../api/types.js";
import { ChangedLines, type Describe } from "../../parts/history/lines.js";
import { changesQuery } from "../../parts/history/requests.js";
import { describePast } from "../../parts/history/words.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { Waiting } from "../../parts/waiting.js";
import { describeRecord } from "../../parts/records/describe-record.js";
import { IDPS } from "../idps/idps.js";
import { ORIGINS } from "../origins/origins.js";
import { useRuleLines } from "../rules/field-words.js";
import { ZONES } from "../zones/zones.js";
import { historyPage } from "../../texts/en/history-page.js";

interface RevisionChangesProps {
  policyId: string;
  revision: number;
  /** The id of a record; by default the changes of all. */
  target?: string;
}

/** The changes of a revision, field by field. */
export function RevisionChanges({ policyId, revision, target }: Readonly<RevisionChangesProps>) {
  const query = useInfiniteQuery(changesQuery(policyId, revision, target));
  const describe = useDescribers();
  const { data: changes = [], error, isLoading, hasNextPage, isFetchingNextPage } = query;
  return (
    <Stack gap="sm">
      <ReadingProblem error={error} />
      {isLoading && <Waiting size="xs" what={historyPage.readingChanges} />}
      {changes.map((change) => (
        <Box key={change.id}>
          <Text size="sm" fw={500} className="foreign" mb={2}>
            {describePast(change)}
          </Text>
          <ChangedLines before={change.before} after={change.after} describe={describe[change.type]} />
        </Box>
      ))}
      {hasNextPage && (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {historyPage.moreChanges}
        </Button>
      )}
    </Stack>
  );
}

function useDescribers(): Readonly<Record<RevisedChange["type"], Describe>> {
  return {
    PolicyRule: useRuleLines(),
    IdentityProvider: describeRecord(IDPS),
    Zone: describeRecord(ZONES),
    TrustedOrigin: describeRecord(ORIGINS),
  };
}
