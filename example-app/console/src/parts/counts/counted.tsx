import { Text } from "@mantine/core";
import { counts as texts } from "../../texts/en/counts.js";
import type { Counts, Period } from "./use-counts.js";

/** How many logins a rule, or a provider, has had of late. */
export function Counted({ id, counts }: Readonly<{ id: string; counts: Counts }>) {
  const ever = counts.of(id, 90);
  if (ever === undefined) return null;
  if (ever === 0) {
    return (
      <Text size="xs" c="dimmed">
        {texts.none}
      </Text>
    );
  }
  const count = (period: Period) => counts.of(id, period) ?? 0;
  return (
    <Text size="xs" c="dimmed">
      {texts.some({ day: count(1), week: count(7), month: count(30) })}
    </Text>
  );
}
