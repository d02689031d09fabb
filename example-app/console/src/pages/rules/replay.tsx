import { Box, Button, Group, Select, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Replay } from "../../api/types.js";
import { Help } from "../../parts/help.js";
import { Problem } from "../../parts/problem.js";
import { When } from "../../parts/when.js";
import { useScope } from "../../session/use-session.js";
import { ruleReplay as texts } from "../../texts/en/rule-replay.js";
import { Moves } from "./moves.js";
import { MovesPicture } from "./moves-picture.js";
import { replayLog, type RuleChange } from "./requests.js";

/** How far back one looks, in days. */
const PERIODS = [
  ["1", "day"],
  ["7", "week"],
  ["30", "month"],
  ["90", "quarter"],
] as const;

const DAY_MS = 86_400_000;

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
    <Box role="region" aria-label={texts.log}>
      <Group gap={4} mb={4} wrap="nowrap">
        <Text size="sm" fw={500}>
          {texts.aboutLog}
        </Text>
        <Help term="replay" name={texts.log} />
      </Group>
      <Group gap="xs">
        <Select
          aria-label={texts.within}
          data={PERIODS.map(([value, name]) => ({ value, label: texts[name] }))}
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
          {texts.replay}
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
            {texts.stop}
          </Button>
        )}
      </Group>
      <Stack gap="sm" mt="xs" role="status" style={{ opacity: isOld ? 0.6 : 1 }}>
        {error && <Problem error={error} title={texts.failed} />}
        {isOld && (
          <Text size="sm" fw={500}>
            {texts.isOld}
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
        {texts.result({
          share: (
            <Text key="share" span fw={600} inherit>
              {texts.share({ changed, all: logins })}
            </Text>
          ),
          since: <When key="since" date={since} />,
        })}
        {sampled && texts.sampled}
        {!complete && texts.tooLong}
        {unreadable > 0 && texts.unreadable({ n: unreadable })}
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
