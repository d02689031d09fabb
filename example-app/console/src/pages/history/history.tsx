import { Box, Button, Loader, Paper, Text } from "@mantine/core";
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { policyQuery } from "../../api/queries.js";
import { revisionsQuery } from "../../parts/history/requests.js";
import { Empty, Page } from "../../parts/page.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { RevisionRow } from "./revision-row.js";

/** Every change of what routing is made of, the newest first, with a way back. */
export function History() {
  const { data: policy } = useSuspenseQuery(policyQuery);
  const query = useInfiniteQuery(revisionsQuery(policy.id));
  const { data: revisions = [], error, isSuccess, isFetching, hasNextPage, isFetchingNextPage } = query;
  return (
    <Page
      title="History"
      about="Who changed rules, identity providers, zones and trusted origins, and what they were before. Everything can be brought back."
    >
      <ReadingProblem error={error} />
      {isSuccess && revisions.length === 0 && (
        <Empty title="No changes yet">Change a rule, and you find here what it was before.</Empty>
      )}
      {revisions.length > 0 && (
        <Paper withBorder>
          <Box role="list" aria-label="Changes, the newest first">
            {revisions.map((revision, index) => (
              <RevisionRow key={revision.revision} policyId={policy.id} revision={revision} isNewest={index === 0} />
            ))}
          </Box>
          {hasNextPage && (
            <Button variant="subtle" fullWidth loading={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older changes
            </Button>
          )}
        </Paper>
      )}
      <Text size="sm" c="dimmed" role="status">
        {isFetching && !isSuccess ? <Loader size="xs" aria-label="Reading the history" /> : null}
      </Text>
    </Page>
  );
}
