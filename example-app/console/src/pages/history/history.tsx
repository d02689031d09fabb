import { Box, Button, Paper, Text } from "@mantine/core";
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { policyQuery } from "../../api/queries.js";
import { revisionsQuery } from "../../parts/history/requests.js";
import { Empty, Page } from "../../parts/page.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { Waiting } from "../../parts/waiting.js";
import { changes } from "../../texts/en/changes.js";
import { historyPage } from "../../texts/en/history-page.js";
import { pages } from "../../texts/en/pages.js";
import { RevisionRow } from "./revision-row.js";

/** Every change of what routing is made of, the newest first, with a way back. */
export function History() {
  const { data: policy } = useSuspenseQuery(policyQuery);
  const query = useInfiniteQuery(revisionsQuery(policy.id));
  const { data: revisions = [], error, isSuccess, isFetching, hasNextPage, isFetchingNextPage } = query;
  return (
    <Page title={pages.history} help="history" about={historyPage.about}>
      <ReadingProblem error={error} />
      {isSuccess && revisions.length === 0 && <Empty title={historyPage.emptyTitle}>{historyPage.empty}</Empty>}
      {revisions.length > 0 && (
        <Paper withBorder>
          <Box role="list" aria-label={historyPage.list}>
            {revisions.map((revision, index) => (
              <RevisionRow key={revision.revision} policyId={policy.id} revision={revision} isNewest={index === 0} />
            ))}
          </Box>
          {hasNextPage && (
            <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {changes.older}
            </Button>
          )}
        </Paper>
      )}
      <Text size="sm" c="dimmed" role="status">
        {isFetching && !isSuccess ? <Waiting size="xs" what={changes.reading} /> : null}
      </Text>
    </Page>
  );
}
