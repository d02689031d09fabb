import { Button, Group, Text } from "@mantine/core";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { policyQuery } from "../../api/queries.js";
import type { Trace } from "../../api/types.js";
import { providerOf } from "../../parts/link-provider.js";
import { Problem } from "../../parts/problem.js";
import { describeQuestion, type Question } from "../../parts/tried.js";
import { useReadAgain } from "../../parts/use-read-again.js";
import { useSession } from "../../session/use-session.js";
import { createTest } from "./requests.js";

/** The longest name of a test. */
const MAX_NAME = 128;

/** Keeps where a login goes now as a test. */
export function KeepAsTest({ trace, question }: Readonly<{ trace: Trace; question: Question }>) {
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
  if (keep.error) return <Problem error={keep.error} title="The test was not kept" />;
  if (keep.isSuccess) {
    return (
      <Text size="sm" role="status">
        It is one of the <Link to="/tests">routing tests</Link> now.
      </Text>
    );
  }
  return (
    <Group>
      <Button
        size="xs"
        variant="default"
        loading={keep.isPending}
        onClick={() => {
          keep.mutate();
        }}
      >
        Keep as a test
      </Button>
    </Group>
  );
}
