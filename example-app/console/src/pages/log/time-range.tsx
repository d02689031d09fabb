import { Button, Group, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { changedDate, toLocal } from "../../parts/local-time.js";
import { startOf, type Question } from "./question.js";
import type { Ask } from "./use-question.js";
import { logFilters as texts } from "../../texts/en/log-filters.js";

const PERIODS = [
  { value: "1h", name: "hour" },
  { value: "24h", name: "day" },
  { value: "7d", name: "week" },
  { value: "30d", name: "month" },
  { value: "90d", name: "quarter" },
] as const;

const BETWEEN = { value: "", name: "between" } as const;

/** Whether the times of a question are dates, and no period up to now. */
export function isBetween({ since, until }: Pick<Question, "since" | "until">): boolean {
  return until !== undefined || PERIODS.every(({ value }) => value !== since);
}

interface PeriodFieldProps {
  value: string;
  onChange: (period: string) => void;
}

/** @param props `value` is empty for two dates */
export function PeriodField({ value, onChange }: Readonly<PeriodFieldProps>) {
  return (
    <Select
      label={texts.time}
      data={[...PERIODS, BETWEEN].map(({ value: period, name }) => ({ value: period, label: texts[name] }))}
      value={value}
      onChange={(period) => {
        onChange(period ?? "");
      }}
      allowDeselect={false}
      w={180}
    />
  );
}

/** From when to when, in the person's own time zone. Another address is another time; the focus stays where it is. */
export function BetweenFields({ since, until, ask }: Readonly<Pick<Question, "since" | "until"> & { ask: Ask }>) {
  const [asked, setAsked] = useState({ since, until });
  const [from, setFrom] = useState(() => toLocal(startOf(since, Date.now())));
  const [to, setTo] = useState(() => toLocal(until ?? ""));
  if (asked.since !== since || asked.until !== until) {
    setAsked({ since, until });
    setFrom(toLocal(startOf(since, Date.now())));
    setTo(toLocal(until ?? ""));
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const begin = changedDate(from, since);
        if (begin !== undefined) ask({ since: begin, until: changedDate(to, until) });
      }}
    >
      <Group align="flex-end" gap="sm">
        <TextInput
          type="datetime-local"
          step={1}
          label={texts.from}
          value={from}
          required
          withAsterisk={false}
          onChange={(event) => {
            setFrom(event.currentTarget.value);
          }}
        />
        <TextInput
          type="datetime-local"
          step={1}
          label={texts.to}
          value={to}
          min={from}
          onChange={(event) => {
            setTo(event.currentTarget.value);
          }}
        />
        <Button type="submit" variant="default">
          {texts.showTime}
        </Button>
      </Group>
    </form>
  );
}
