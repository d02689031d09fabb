import { Checkbox, Group, Text, TextInput } from "@mantine/core";
import { Help } from "../../parts/help.js";
import { Waiting } from "../../parts/waiting.js";
import { rules as texts } from "../../texts/en/rules.js";
import type { useShownRules } from "./use-shown-rules.js";

interface RuleFiltersProps {
  rules: ReturnType<typeof useShownRules>;
  /** The number of all rules. */
  count: number;
  isReading: boolean;
}

/** Finds rules, and counts what is found. */
export function RuleFilters({ rules, count, isReading }: Readonly<RuleFiltersProps>) {
  const { filter, change, shown, doubted, unused } = rules;
  return (
    <Group p="md" justify="space-between">
      <TextInput
        aria-label={texts.find}
        placeholder={texts.findIn}
        value={filter.text}
        onChange={(event) => {
          change({ text: event.currentTarget.value });
        }}
        maxLength={255}
        w={300}
      />
      <Group gap="md" className="found">
        {(doubted > 0 || filter.isDoubted) && (
          <div className="helped">
            <Checkbox
              label={texts.doubted({ n: doubted })}
              checked={filter.isDoubted}
              onChange={(event) => {
                change({ isDoubted: event.currentTarget.checked });
              }}
            />
            <Help term="finding" name={texts.doubted({ n: doubted })} />
          </div>
        )}
        {(unused > 0 || filter.isUnused) && (
          <div className="helped">
            <Checkbox
              label={texts.unused({ n: unused })}
              checked={filter.isUnused}
              onChange={(event) => {
                change({ isUnused: event.currentTarget.checked });
              }}
            />
            <Help term="decisionCount" name={texts.unused({ n: unused })} />
          </div>
        )}
        {isReading && <Waiting size="xs" what={texts.reading} />}
        <Text size="sm" c="dimmed" role="status">
          {(count > 0 || !isReading) && describeCount(shown.length, count)}
        </Text>
      </Group>
    </Group>
  );
}

/** `1 of 4,900 rules` */
function describeCount(shown: number, all: number): string {
  return shown === all ? texts.count({ n: all }) : texts.shown({ shown, n: all });
}
