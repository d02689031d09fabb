import { Anchor, Box, Loader, Paper, Text } from "@mantine/core";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { policyQuery } from "../../api/queries.js";
import { Empty, Page } from "../../parts/page.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { testsQuery } from "./requests.js";
import { TestRow } from "./test-row.js";

/** Which provider certain logins must get, and whether they do. */
export function Tests() {
  const { data: policy } = useSuspenseQuery(policyQuery);
  const { data: tests = [], error, isSuccess } = useQuery(testsQuery(policy.id));
  const failed = tests.filter(({ result }) => !result.passed).length;
  return (
    <Page
      title="Routing tests"
      about="Which provider certain logins must get. A change after which a test fails is refused, unless you make it anyway."
    >
      <ReadingProblem error={error} />
      <Text size="sm" c="dimmed" role="status">
        {isSuccess ? describe(tests.length, failed) : !error && <Loader size="xs" aria-label="Running the tests" />}
      </Text>
      {isSuccess && tests.length === 0 && (
        <Empty title="No tests yet">
          <Anchor inherit underline="always" renderRoot={(props: object) => <Link to="/" {...props} />}>
            Try a login
          </Anchor>
          , and keep the result as a test.
        </Empty>
      )}
      {tests.length > 0 && (
        <Paper withBorder>
          <Box role="list" aria-label="Tests, those that fail first">
            {tests.map((tried) => (
              <TestRow key={tried.test.id} policyId={policy.id} tried={tried} />
            ))}
          </Box>
        </Paper>
      )}
    </Page>
  );
}

function describe(count: number, failed: number): string {
  if (count === 0) return "";
  if (count === 1) return failed === 0 ? "1 test, which passes" : "1 test, which fails";
  return `${count} tests, ${failed === 0 ? "none fails" : `${failed} of them ${failed === 1 ? "fails" : "fail"}`}`;
}
