import { Box, Button, Group, Paper, Select, Stack, Switch, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { ApiProblem } from "../../api/http.js";
import { ExpressionField } from "../../parts/expression-field.js";
import { Empty, Page } from "../../parts/page.js";
import { Problem } from "../../parts/problem.js";
import { isListInUse, LogEvents } from "./log-events.js";
import { useLog } from "./use-log.js";

/** Which events a view has, as a filter. */
const VIEWS = [
  { value: 'severity ne "DEBUG"', label: "Changes and failures" },
  { value: "target pr and not (debugContext.debugData.policyId pr)", label: "Changes" },
  { value: 'outcome.result eq "FAILURE"', label: "Failures" },
  { value: "", label: "Everything" },
];

const HOUR_MS = 3_600_000;

const NUMBER = new Intl.NumberFormat();

const PERIODS = [
  { value: "1", label: "The last hour" },
  { value: "24", label: "The last day" },
  { value: "168", label: "The last week" },
  { value: "2160", label: "The last 90 days" },
];

/** The latest period that has every event of a request. */
const ALL_HOURS = "2160";

/** The text before each term of the filter. */
const OPEN = "(";

interface Question {
  readonly view: string;
  readonly hours: string;
  readonly filter: string;
}

/** The System Log, live, with the way from a request to its events and back. */
export function Log() {
  const [question, setQuestion] = useState<Question>({ view: VIEWS[0]?.value ?? "", hours: "24", filter: "" });
  const [requestId, setRequestId] = useState("");
  const [isLive, setLive] = useState(true);
  const [settled] = useDebouncedValue(question.filter, 400);
  const typed = settled.trim();
  const [opened] = useState(() => Date.now());

  const terms =
    requestId === ""
      ? [typed, question.view] // what was typed comes first, so that the place of a mistake is known
      : [`debugContext.debugData.requestId eq ${JSON.stringify(requestId)}`];
  const period = Number(requestId === "" ? question.hours : ALL_HOURS) * HOUR_MS;
  const filter = terms
    .filter((term) => term !== "")
    .map((term) => `${OPEN}${term})`)
    .join(" and ");
  const asked = { since: new Date(opened - period).toISOString(), filter: filter || undefined };
  const log = useLog(asked, isLive && requestId === "", isListInUse);
  const { events, isCurrent, error } = log;
  const mistake = error instanceof ApiProblem && error.status === 400 && typed !== "" ? error : undefined;

  return (
    <Page
      title="System Log"
      about="Who changed what, and every request to this org. New events appear by themselves."
      actions={
        <Switch
          label="Live"
          checked={isLive}
          onChange={(event) => {
            setLive(event.currentTarget.checked);
          }}
        />
      }
    >
      <Paper withBorder p="md">
        {requestId === "" ? (
          <Filters question={question} onChange={setQuestion} sent={typed} mistake={mistake} />
        ) : (
          <Group justify="space-between">
            <Text size="sm">
              Every event of the request <span className="mono">{requestId}</span>
            </Text>
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                setRequestId("");
              }}
            >
              Back to all events
            </Button>
          </Group>
        )}
      </Paper>
      {error && !mistake && <Problem error={error} />}
      <Stack gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {isCurrent
            ? `${NUMBER.format(events.length)}${log.hasOlder ? " or more" : ""} ${events.length === 1 && !log.hasOlder ? "event" : "events"}`
            : error
              ? ""
              : "Reading the log"}
        </Text>
        {events.length > 0 && <LogEvents log={log} onRequest={setRequestId} />}
        {events.length === 0 && isCurrent && (
          <Empty title="No events">
            Choose a longer period or show everything. A change, such as switching a rule off, appears here within a
            second.
          </Empty>
        )}
      </Stack>
    </Page>
  );
}

interface FiltersProps {
  question: Question;
  onChange: (question: Question) => void;
  /** The filter that {@link mistake} is about. */
  sent: string;
  mistake: ApiProblem | undefined;
}

function Filters({ question, onChange, sent, mistake }: Readonly<FiltersProps>) {
  return (
    <Group align="flex-start">
      <Select
        label="Show"
        data={VIEWS}
        value={question.view}
        onChange={(view) => {
          onChange({ ...question, view: view ?? "" });
        }}
        allowDeselect={false}
        w={200}
      />
      <Select
        label="Of"
        data={PERIODS}
        value={question.hours}
        onChange={(hours) => {
          onChange({ ...question, hours: hours ?? "24" });
        }}
        allowDeselect={false}
        w={170}
      />
      <Box flex={1} miw={260}>
        <ExpressionField
          label="Filter"
          placeholder='eventType sw "user." and actor.displayName eq "Nightly job"'
          value={question.filter}
          onChange={(filter) => {
            onChange({ ...question, filter });
          }}
          sent={sent}
          start={OPEN.length}
          error={mistake}
        />
      </Box>
    </Group>
  );
}
