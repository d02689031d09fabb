import { Box, Button, Group, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { send, type Answer } from "../../api/http.js";
import type { LogEvent } from "../../api/types.js";
import { download } from "../../parts/download.js";
import { toLocal } from "../../parts/local-time.js";
import { Problem } from "../../parts/problem.js";
import { useSession } from "../../session/use-session.js";
import { isCancelled, useWork } from "../transfer/use-work.js";
import { Working } from "../transfer/working.js";
import type { Facts } from "./describe-event.js";
import { toCsvFile, toRows } from "./csv.js";
import { pathOf, type LogQuestion } from "./use-log.js";
import { log as texts } from "../../texts/en/log.js";

const MAX_EVENTS = 10_000;
const PAGE_SIZE = 1_000;

interface Saved {
  readonly count: number;
  readonly isComplete: boolean;
}

/** Saves what is shown as a table. */
export function CsvButton({ asked }: Readonly<{ asked: LogQuestion }>) {
  const { accountPrefix, org } = useSession();
  const button = useRef<HTMLButtonElement>(null);
  const { run, cancel } = useWork(async (question: LogQuestion, signal): Promise<Saved> => {
    const { rows, ...saved } = await readAll(question, { accountPrefix, orgName: org.name }, signal);
    const name = `log-${org.subdomain}-${toLocal(new Date().toISOString()).slice(0, 10)}.csv`;
    download({ name, content: toCsvFile(rows) });
    return saved;
  });
  const { error, isPending, isIdle, data } = run;
  useEffect(() => {
    // the button to cancel is gone, which had the focus
    if (!isPending && !isIdle && document.activeElement === document.body) button.current?.focus();
  }, [isPending, isIdle]);
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {data && describeSaved(data)}
      </Text>
      {isPending ? (
        <Box w={320}>
          <Working what={texts.readingEvents} onCancel={cancel} />
        </Box>
      ) : (
        <>
          {error && !isCancelled(error) && <Problem error={error} title={texts.nothingSaved} />}
          <Button
            ref={button}
            size="compact-sm"
            variant="default"
            onClick={() => {
              run.mutate(asked);
            }}
          >
            {texts.download}
          </Button>
        </>
      )}
    </Group>
  );
}

function describeSaved({ count, isComplete }: Saved): string {
  return isComplete ? texts.saved({ n: count }) : texts.savedNewest({ n: count });
}

async function readAll(question: LogQuestion, facts: Facts, signal: AbortSignal): Promise<Saved & { rows: string[] }> {
  const rows: string[] = [];
  let count = 0;
  let isCut = false;
  let next: string | undefined = pathOf(question, "DESCENDING", PAGE_SIZE);
  while (next !== undefined && count < MAX_EVENTS) {
    const page: Answer<LogEvent[]> = await send<LogEvent[]>(next, { signal });
    const events = page.data.slice(0, MAX_EVENTS - count);
    rows.push(toRows(events, facts));
    count += events.length;
    isCut = events.length < page.data.length;
    next = page.next;
  }
  return { rows, count, isComplete: next === undefined && !isCut };
}
