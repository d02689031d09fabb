import { Anchor, Paper, Text } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { policyQuery } from "../../api/queries.js";
import { Empty, Page } from "../../parts/page.js";
import { PagedList } from "../../parts/paged-list.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { Skeletons } from "../../parts/skeletons.js";
import { Waiting } from "../../parts/waiting.js";
import { pages } from "../../texts/en/pages.js";
import { tests } from "../../texts/en/tests.js";
import { testsQuery } from "./requests.js";
import { TestRow } from "./test-row.js";

/** About, in pixels; each row is measured. */
const ROW_HEIGHT = 108;

/** Which provider certain logins must get, and whether they do. */
export function Tests() {
  const { data: policy } = useSuspenseQuery(policyQuery);
  const { data: all = [], error, isSuccess } = useQuery(testsQuery(policy.id));
  const failed = all.filter(({ result }) => !result.passed).length;
  return (
    <Page title={pages.tests} help="tests" about={tests.about}>
      <ReadingProblem error={error} />
      <Text size="sm" c="dimmed" role="status">
        {isSuccess ? describe(all.length, failed) : !error && <Waiting size="xs" what={tests.running} />}
      </Text>
      {isSuccess && all.length === 0 && (
        <Empty title={tests.emptyTitle}>
          {tests.empty({
            link: (
              <Anchor key="link" inherit underline="always" renderRoot={(props: object) => <Link to="/" {...props} />}>
                {tests.tryLogin}
              </Anchor>
            ),
          })}
        </Empty>
      )}
      {!isSuccess && !error && (
        <Paper withBorder>
          <Skeletons />
        </Paper>
      )}
      {all.length > 0 && (
        <Paper withBorder>
          <PagedList
            label={tests.list}
            records={all.map((tried) => ({ ...tried, id: tried.test.id }))}
            rowHeight={ROW_HEIGHT}
            onMore={undefined}
          >
            {(tried) => <TestRow policyId={policy.id} tried={tried} />}
          </PagedList>
        </Paper>
      )}
    </Page>
  );
}

function describe(count: number, failed: number): string {
  if (count === 0) return "";
  if (count === 1) return failed === 0 ? tests.onePasses : tests.oneFails;
  return failed === 0 ? tests.noneFails({ n: count }) : tests.someFail({ count, n: failed });
}
