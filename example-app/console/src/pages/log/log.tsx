import { Button, Group, Paper, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { ApiProblem, withQuery } from "../../api/http.js";
import { Empty, Page } from "../../parts/page.js";
import { Problem } from "../../parts/problem.js";
import { LogEvents } from "./log-events.js";
import { PAGE_SIZE, useLog } from "./use-log.js";

/** Which events a view has, as a filter. */
const VIEWS = [
  { value: 'severity ne "DEBUG"', label: "Changes and failures" },
  { value: "target pr", label: "Changes" },
  { value: 'outcome.result eq "FAILURE"', label: "Failures" },
  { value: "", label: "Everything" },
];

const HOUR_MS = 3_600_000;

const PERIODS = [
  { value: "1", label: "The last hour" },
  { value: "24", label: "The last day" },
  { value: "168", label: "The last week" },
  { value: "2160", label: "The last 90 days" },
];

/** The latest period that has every event of a request. */
const ALL_HOURS = "2160";

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
  const [typed] = useDebouncedValue(question.filter, 400);
  const [opened] = useState(() => Date.now());

  const terms =
    requestId === ""
      ? [question.view, typed.trim()]
      : [`debugContext.debugData.requestId eq ${JSON.stringify(requestId)}`];
  const period = Number(requestId === "" ? question.hours : ALL_HOURS) * HOUR_MS;
  const path = withQuery("/api/v1/logs", {
    since: new Date(opened - period).toISOString(),
    limit: PAGE_SIZE,
    filter:
      terms
        .filter((term) => term !== "")
        .map((term) => `(${term})`)
        .join(" and ") || undefined,
  });
  const { events, isCurrent, error } = useLog(path, isLive && requestId === "");
  const filterFault = error instanceof ApiProblem && error.status === 400 && typed !== "" ? error.causes[0] : undefined;

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
          <Filters question={question} onChange={setQuestion} fault={filterFault} />
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
      {error && filterFault === undefined && <Problem error={error} />}
      <Stack gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {isCurrent ? `${events.length} events` : error ? "" : "Reading the log"}
        </Text>
        {events.length > 0 && <LogEvents events={events} onRequest={setRequestId} />}
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
  fault: string | undefined;
}

function Filters({ question, onChange, fault }: Readonly<FiltersProps>) {
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
      <TextInput
        label="Filter"
        placeholder='eventType sw "user." and actor.displayName eq "Nightly job"'
        value={question.filter}
        onChange={(event) => {
          onChange({ ...question, filter: event.currentTarget.value });
        }}
        error={fault}
        flex={1}
        miw={260}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        spellCheck={false}
      />
    </Group>
  );
}
