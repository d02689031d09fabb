import { NUMBER } from "../../parts/number-format.js";
import { Help } from "../../parts/help.js";
import { Button, Group, Paper, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useMemo, useState } from "react";
import type { LogEvent } from "../../api/types.js";
import { countBars, type Bar } from "./bars.js";
import { SEVERITIES } from "./severities.js";
import type { Ask } from "./use-question.js";
import { LOCALE } from "../../texts/language.js";
import { log as texts } from "../../texts/en/log.js";

interface HistogramProps {
  events: readonly LogEvent[];
  /** Whether there are events that were not read. */
  hasOlder: boolean;
  since: string;
  until: string | undefined;
  ask: Ask;
}

const MAX_BARS = 40;
const MAX_NARROW_BARS = 14;

const RANGE = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "medium" });
const EDGE = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });

const labelOf = ({ start, end }: Bar) => RANGE.formatRange(start, end);

/** How many of the events that were read are of when. A bar leads to its time. */
export function Histogram({ events, hasOlder, since, until, ask }: Readonly<HistogramProps>) {
  const [isTable, setTable] = useState(false);
  const isNarrow = useMediaQuery("(max-width: 600px)");
  const bars = useMemo(() => {
    const [newest, oldest] = [events[0], events.at(-1)].map((event) => Date.parse(event?.published ?? ""));
    const from = hasOlder ? oldest : Date.parse(since);
    const to = Math.max(newest ?? 0, until === undefined ? Date.now() : Date.parse(until) - 1);
    if (from === undefined || !(from <= to)) return [];
    const max = isNarrow ? MAX_NARROW_BARS : MAX_BARS;
    return countBars(events, { from, to, max, offsetAt: (time) => new Date(time).getTimezoneOffset() });
  }, [events, hasOlder, since, until, isNarrow]);
  const open = ({ start, end }: Bar) => {
    ask({ since: new Date(start).toISOString(), until: new Date(end).toISOString() });
  };
  if (bars.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.overTime}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm">{hasOlder ? texts.ofNewest({ count: events.length }) : texts.overTime}</Text>
        <div className="helped">
          <Legend bars={bars} />
          <Help term="severity" name={texts.overTime} />
        </div>
        <Button
          size="compact-xs"
          variant="default"
          aria-expanded={isTable}
          onClick={() => {
            setTable(!isTable);
          }}
        >
          {isTable ? texts.hideTable : texts.showTable}
        </Button>
      </Group>
      <Bars bars={bars} onOpen={open} />
      {isTable && <BarTable bars={bars} onOpen={open} />}
    </Paper>
  );
}

interface BarsProps {
  bars: readonly Bar[];
  onOpen: (bar: Bar) => void;
}

function Legend({ bars }: Readonly<Pick<BarsProps, "bars">>) {
  return (
    <Group gap="sm">
      {SEVERITIES.map((severity) => [severity, bars.reduce((sum, { counts }) => sum + counts[severity], 0)] as const)
        .filter(([, count]) => count > 0)
        .map(([severity, count]) => (
          <Text key={severity} size="xs" c="dimmed" component="span">
            <span className="log-colour" data-severity={severity} /> {severity} {NUMBER.format(count)}
          </Text>
        ))}
    </Group>
  );
}

/** For who points at them; the table is for all others. */
function Bars({ bars, onOpen }: Readonly<BarsProps>) {
  const most = Math.max(...bars.map(({ total }) => total), 1);
  return (
    <div aria-hidden="true">
      <div className="log-bars">
        {bars.map((bar) => (
          <button
            key={bar.start}
            type="button"
            tabIndex={-1}
            className="log-bar"
            title={texts.bar({ time: labelOf(bar), counts: describeCounts(bar) })}
            onClick={() => {
              onOpen(bar);
            }}
          >
            {SEVERITIES.toReversed().map((severity) => (
              <span
                key={severity}
                data-severity={severity}
                style={{ height: `${(bar.counts[severity] / most) * 100}%` }}
              />
            ))}
          </button>
        ))}
      </div>
      <Group justify="space-between" wrap="nowrap">
        {[bars[0]?.start, bars.at(-1)?.end].map((time) => (
          <Text key={time} size="xs" c="dimmed">
            {EDGE.format(time)}
          </Text>
        ))}
      </Group>
    </div>
  );
}

function BarTable({ bars, onOpen }: Readonly<BarsProps>) {
  return (
    <Table.ScrollContainer minWidth={420} mt="sm">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{texts.time}</Table.Th>
            {SEVERITIES.map((severity) => (
              <Table.Th key={severity} scope="col" ta="right">
                {severity}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bars
            .filter(({ total }) => total > 0)
            .map((bar) => (
              <Table.Tr key={bar.start}>
                <Table.Th scope="row" fw={400}>
                  <button
                    type="button"
                    className="log-fact"
                    onClick={() => {
                      onOpen(bar);
                    }}
                  >
                    {labelOf(bar)}
                  </button>
                </Table.Th>
                {SEVERITIES.map((severity) => (
                  <Table.Td key={severity} ta="right">
                    {NUMBER.format(bar.counts[severity])}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function describeCounts({ counts, total }: Bar): string {
  const each = SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${NUMBER.format(counts[severity])} ${severity}`,
  );
  return total === 0 ? texts.none : each.join(texts.comma);
}
