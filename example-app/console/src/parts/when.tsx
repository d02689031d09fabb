import { Text } from "@mantine/core";
import { daysBetween } from "./local-time.js";
import { useToday } from "./use-today.js";
import { parts } from "../texts/en/parts.js";
import { LOCALE } from "../texts/language.js";

const TIME = new Intl.DateTimeFormat(LOCALE, { timeStyle: "medium" });
const LOCAL = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "medium" });
const DAYS = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

/** The approximate width of the longest date: most of its characters are narrower than a digit. */
const WHEN_WIDTH = `${Math.ceil(LOCAL.format(new Date(2026, 10, 30, 22, 58, 58)).length * 0.85)}ch`;

/** A date in the person's own time zone, with UTC when one points at it. */
export function When({ date, none = parts.never }: Readonly<{ date: string | null | undefined; none?: string }>) {
  const today = useToday();
  if (date === null || date === undefined)
    return (
      <Text span size="sm" c="dimmed">
        {none}
      </Text>
    );
  return (
    <time dateTime={date} title={`${date} (UTC)`}>
      {format(new Date(date), today)}
    </time>
  );
}

/** `today, 14:03:22`; only days beside today have a name. */
function format(date: Date, today: Date): string {
  const days = daysBetween(today, date);
  if (Math.abs(days) > 1) return LOCAL.format(date);
  return parts.dayAndTime({ day: DAYS.format(days, "day"), time: TIME.format(date) });
}

/** The date at the beginning of a row; all of them have the same width. */
export function WhenColumn({ date }: Readonly<{ date: string }>) {
  return (
    <Text size="sm" c="dimmed" miw={WHEN_WIDTH} component="span" style={{ fontVariantNumeric: "tabular-nums" }}>
      <When date={date} />
    </Text>
  );
}
