import { Button, Group, Paper, Stack, Switch, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { ApiProblem } from "../../api/http.js";
import { Help } from "../../parts/help.js";
import { Empty, Page } from "../../parts/page.js";
import { Problem } from "../../parts/problem.js";
import { Skeletons } from "../../parts/skeletons.js";
import { Chips } from "./chips.js";
import { CsvButton } from "./csv-button.js";
import { Filters } from "./filters.js";
import { Histogram } from "./histogram.js";
import "./log.css";
import { isListInUse, LogEvents } from "./log-events.js";
import { startOf, toSearch, type Question } from "./question.js";
import { useLog, type Log as ReadLog } from "./use-log.js";
import { useQuestion, type Ask } from "./use-question.js";
import { pages } from "../../texts/en/pages.js";
import { log as texts } from "../../texts/en/log.js";

/** The System Log, live: the address says what it shows. */
export function Log() {
  const [question, ask] = useQuestion();
  return question ? <Asked question={question} ask={ask} /> : <Skeletons />;
}

function Asked({ question, ask }: Readonly<{ question: Question; ask: Ask }>) {
  const [isLive, setLive] = useState(true);
  const asked = useMemo(() => {
    const { filter, q, since = "", until } = toSearch(question);
    return { filter, q, since: startOf(since, Date.now()), until };
  }, [question]);
  const log = useLog(asked, isLive, isListInUse);
  const { events, error } = log;
  const isTyped = question.expression !== "" || question.words !== "";
  const mistake = error instanceof ApiProblem && error.status === 400 && isTyped ? error : undefined;

  return (
    <Page
      title={pages.log}
      help="log"
      about={texts.about}
      actions={
        <div className="helped">
          <Switch
            label={texts.live}
            checked={isLive && question.until === undefined}
            disabled={question.until !== undefined}
            onChange={(event) => {
              setLive(event.currentTarget.checked);
            }}
          />
          <Help term="live" name={texts.live} />
        </div>
      }
    >
      <Paper withBorder p="md">
        <Stack gap="sm">
          <Filters question={question} ask={ask} mistake={mistake} />
          <Chips question={question} ask={ask} events={events} />
        </Stack>
      </Paper>
      {error && !mistake && <Problem error={error} />}
      <Stack gap="xs">
        <Group justify="space-between" gap="xs" mih={28}>
          <Text size="sm" c="dimmed" role="status">
            {describeCount(log)}
          </Text>
          {events.length > 0 && <CsvButton key={JSON.stringify(asked)} asked={asked} />}
        </Group>
        {events.length > 0 && (
          <>
            <Histogram events={events} hasOlder={log.hasOlder} since={asked.since} until={asked.until} ask={ask} />
            <LogEvents log={log} question={question} ask={ask} />
          </>
        )}
        {events.length === 0 && <NoEvents log={log} />}
      </Stack>
    </Page>
  );
}

function describeCount({ events, isCurrent, isReadingOlder, hasOlder, error }: ReadLog): string {
  if (!isCurrent) return error ? "" : texts.reading;
  if (events.length === 0 && isReadingOlder) return texts.searching;
  return hasOlder ? texts.countOrMore({ count: events.length }) : texts.count({ n: events.length });
}

/** A page without events is not the end: the server searches a part of the log for each. */
function NoEvents({ log: { isCurrent, hasOlder, isReadingOlder, showOlder } }: Readonly<{ log: ReadLog }>) {
  if (!isCurrent || isReadingOlder) return null;
  if (!hasOlder) {
    return <Empty title={texts.noEvents}>{texts.noEventsHint}</Empty>;
  }
  return (
    <Empty title={texts.nothingYet}>
      <Button size="xs" variant="default" onClick={showOlder} mt="xs">
        {texts.searchOn}
      </Button>
    </Empty>
  );
}
