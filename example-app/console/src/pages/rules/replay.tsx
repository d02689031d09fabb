import { Box, Button, Group, Select, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Replay } from "../../api/types.js";
import { Problem } from "../../parts/problem.js";
import { When } from "../../parts/when.js";
import { useScope } from "../../session/use-session.js";
import { Moves } from "./moves.js";
import { MovesPicture } from "./moves-picture.js";
import { replayLog, type RuleChange } from "./requests.js";

const PERIODS = [
  { value: "1", label: "The last day" },
  { value: "7", label: "The last 7 days" },
  { value: "30", label: "The last 30 days" },
  { value: "90", label: "The last 90 days" },
];

const DAY_MS = 86_400_000;

const NUMBER = new Intl.NumberFormat();

interface ReplayFieldsProps {
  policyId: string;
  /** `undefined` while it is not complete. */
  change: RuleChange | undefined;
}

/** Who of those that signed in of late would go elsewhere. */
export function ReplayFields(props: Readonly<ReplayFieldsProps>) {
  return useScope("logs.read") ? <Fields {...props} /> : null;
}

function Fields({ policyId, change }: Readonly<ReplayFieldsProps>) {
  const [days, setDays] = useState("7");
  const running = useRef<AbortController>(undefined);
  const replay = useMutation({
    mutationFn: async (wanted: RuleChange) => {
      running.current = new AbortController();
      const since = new Date(Date.now() - Number(days) * DAY_MS).toISOString();
      return { wanted, result: await replayLog(policyId, wanted, since, running.current.signal) };
    },
  });
  const { data, error, isPending } = replay;
  const isOld = data !== undefined && JSON.stringify(data.wanted) !== JSON.stringify(change);
  return (
    <Box role="region" aria-label="Logins of the log">
      <Text size="sm" fw={500} mb={4}>
        What this changes for all who signed in
      </Text>
      <Group gap="xs">
        <Select
          aria-label="Who signed in within"
          data={PERIODS}
          value={days}
          onChange={(value) => {
            setDays(value ?? "7");
          }}
          allowDeselect={false}
          size="xs"
          w={160}
        />
        <Button
          size="xs"
          variant="default"
          loading={isPending}
          disabled={change === undefined}
          onClick={() => {
            if (change) replay.mutate(change);
          }}
        >
          Replay their logins
        </Button>
        {isPending && (
          <Button
            size="xs"
            variant="subtle"
            onClick={() => {
              running.current?.abort();
              replay.reset();
            }}
          >
            Stop
          </Button>
        )}
      </Group>
      <Stack gap="sm" mt="xs" role="status" style={{ opacity: isOld ? 0.6 : 1 }}>
        {error && <Problem error={error} title="Nothing was replayed" />}
        {isOld && (
          <Text size="sm" fw={500}>
            The rule was changed since. Replay again.
          </Text>
        )}
        {data && <Result replay={data.result} />}
      </Stack>
    </Box>
  );
}

function Result({ replay }: Readonly<{ replay: Replay }>) {
  const { changed, logins, since, sampled, complete, unreadable, others, moves } = replay;
  return (
    <>
      <Text size="sm">
        <Text span fw={600} inherit>
          {NUMBER.format(changed)} of {NUMBER.format(logins)}
        </Text>{" "}
        logins since <When date={since} /> would go elsewhere.
        {sampled && " They are a sample of more."}
        {!complete && " It took too long: older ones are not counted."}
        {unreadable > 0 && ` ${NUMBER.format(unreadable)} events have no login any more.`}
      </Text>
      {moves.length > 0 && (
        <>
          <MovesPicture moves={moves} />
          <Moves moves={moves} others={others} />
        </>
      )}
    </>
  );
}
