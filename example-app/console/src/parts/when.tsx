import { Text } from "@mantine/core";

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** The approximate width of the longest date: most of its characters are narrower than a digit. */
const WHEN_WIDTH = `${Math.ceil(LOCAL.format(new Date(2026, 10, 30, 22, 58, 58)).length * 0.85)}ch`;

/** A date in the person's own time zone, with UTC when one points at it. */
export function When({ date, none = "never" }: Readonly<{ date: string | null | undefined; none?: string }>) {
  if (date === null || date === undefined)
    return (
      <Text span size="sm" c="dimmed">
        {none}
      </Text>
    );
  return (
    <time dateTime={date} title={`${date} (UTC)`}>
      {LOCAL.format(new Date(date))}
    </time>
  );
}

/** The date at the beginning of a row; all of them have the same width. */
export function WhenColumn({ date }: Readonly<{ date: string }>) {
  return (
    <Text size="sm" c="dimmed" miw={WHEN_WIDTH} component="span" style={{ fontVariantNumeric: "tabular-nums" }}>
      <When date={date} />
    </Text>
  );
}
