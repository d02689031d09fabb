import { SEVERITIES, type Severity } from "./severities.js";

/** Events of a part of the time. */
export interface Bar {
  /** Milliseconds since 1970; the end is the start of the next one. */
  readonly start: number;
  readonly end: number;
  readonly counts: Readonly<Record<Severity, number>>;
  readonly total: number;
}

interface BarOptions {
  readonly from: number;
  readonly to: number;
  /** The most bars. */
  readonly max: number;
  /** The offset of the time zone at a time, in minutes, as `Date` has it: days begin at midnight there. */
  readonly offsetAt: (time: number) => number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What a bar may stand for. */
const STEPS = [
  ...[1, 2, 5, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14].map((count) => count * DAY),
];

/**
 * Count events over time. Bars have the same length, of the least step that makes no more than `max` of them. Those of days have
 * it on the clock: a day in which clocks are changed has an hour less or more.
 */
export function countBars(
  events: readonly { readonly published: string; readonly severity: Severity }[],
  { from, to, max, offsetAt }: BarOptions,
): Bar[] {
  const onClock = (time: number) => time - offsetAt(time) * MINUTE;
  const zone = offsetAt(to) * MINUTE;
  const scaleOf = (step: number) => (step < DAY ? (time: number) => time - zone : onClock);
  const lengthIn = (step: number) => scaleOf(step)(to) - scaleOf(step)(from);
  const step =
    STEPS.find((each) => lengthIn(each) / each <= max - 1) ?? Math.ceil(lengthIn(DAY) / (max - 1) / DAY) * DAY;
  const placeOf = (time: number) => Math.floor(scaleOf(step)(time) / step);
  const first = placeOf(from);
  const counts = Array.from({ length: placeOf(to) - first + 1 }, () =>
    Object.fromEntries(SEVERITIES.map((each) => [each, 0])),
  );
  for (const { published, severity } of events) {
    const count = counts[placeOf(Date.parse(published)) - first];
    if (count) count[severity] = (count[severity] ?? 0) + 1;
  }
  const startOf = (index: number) => {
    const start = (first + index) * step;
    return step < DAY ? start + zone : fromClock(start, offsetAt);
  };
  return counts.map((count, index) => ({
    start: startOf(index),
    end: startOf(index + 1),
    counts: count as Record<Severity, number>,
    total: Object.values(count).reduce((sum, each) => sum + each, 0),
  }));
}

/** The time at which clocks show this. */
function fromClock(clock: number, offsetAt: BarOptions["offsetAt"]): number {
  const about = clock + offsetAt(clock) * MINUTE;
  return clock + offsetAt(about) * MINUTE;
}
