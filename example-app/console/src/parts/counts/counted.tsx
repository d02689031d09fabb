import { Text } from "@mantine/core";
import type { Counts, Period } from "./use-counts.js";

const WORDS: readonly (readonly [Period, string])[] = [
  [1, "in 24 hours"],
  [7, "in 7 days"],
  [30, "in 30 days"],
];

const NUMBER = new Intl.NumberFormat();

/** How many logins a rule, or a provider, has had of late. */
export function Counted({ id, counts }: Readonly<{ id: string; counts: Counts }>) {
  const ever = counts.of(id, 90);
  if (ever === undefined) return null;
  if (ever === 0) {
    return (
      <Text size="xs" c="dimmed">
        No login in 90 days
      </Text>
    );
  }
  const words = WORDS.map(([period, text]) => `${NUMBER.format(counts.of(id, period) ?? 0)} ${text}`);
  return (
    <Text size="xs" c="dimmed">
      Logins: {words.join(", ")}
    </Text>
  );
}
