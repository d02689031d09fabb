import { Button, Group, Text } from "@mantine/core";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { policyQuery } from "../../api/queries.js";
import type { Trace } from "../../api/types.js";
import { providerOf } from "../../parts/link-provider.js";
import { Live } from "../../parts/live.js";
import { Problem } from "../../parts/problem.js";
import { describeQuestion, type Question } from "../../parts/tried.js";
import { useReadAgain } from "../../parts/use-read-again.js";
import { useSession } from "../../session/use-session.js";
import { keepAsTest } from "../../texts/en/keep-as-test.js";
import { createTest } from "./requests.js";

/** The longest name of a test. */
const MAX_NAME = 128;

interface KeepAsTestProps {
  trace: Trace;
  question: Question;
  /** Whether the trace is of this question, and not of the one before, which is shown until the response is here. */
  isCurrent: boolean;
}

/** Keeps where a login goes now as a test. */
export function KeepAsTest({ trace, question, isCurrent }: Readonly<KeepAsTestProps>) {
  const { data: policy } = useSuspenseQuery(policyQuery);
  const { namespace } = useSession();
  const readAgain = useReadAgain();
  const keep = useMutation({
    mutationFn: () => {
      const { ipAddress } = trace.client;
      const [first] = trace.links;
      const { type = "", id } = first ? providerOf(first) : {};
      return createTest(policy.id, {
        name: describeQuestion(question).slice(0, MAX_NAME),
        login: question.login,
        ...(ipAddress !== null && { clientIp: ipAddress }),
        userAgent: question.userAgent === "" ? navigator.userAgent : question.userAgent,
        expected: { provider: id === undefined ? { type: namespace.toUpperCase() } : { type, id } },
      });
    },
    onSettled: () => readAgain(),
  });
  if (keep.error) return <Problem error={keep.error} title={keepAsTest.notKept} />;
  return (
    <Group>
      <Live>
        {keep.isSuccess && (
          <Text size="sm">
            {keepAsTest.kept({
              link: (
                <Link key="link" to="/tests">
                  {keepAsTest.tests}
                </Link>
              ),
            })}
          </Text>
        )}
      </Live>
      {!keep.isSuccess && (
        <Button
          size="xs"
          variant="default"
          disabled={!isCurrent}
          loading={keep.isPending}
          onClick={() => {
            keep.mutate();
          }}
        >
          {keepAsTest.keep}
        </Button>
      )}
    </Group>
  );
}
