import { Group, NumberInput } from "@mantine/core";
import type { Faults } from "../../parts/faults.js";
import { helped } from "../../parts/help.js";
import { NameField } from "../../parts/name-field.js";
import { ruleForm as texts } from "../../texts/en/rule-form.js";
import type { Draft } from "./draft.js";

interface NameFieldsProps {
  draft: Draft;
  onChange: (changes: Partial<Draft>) => void;
  faults: Faults;
  /** The number of all rules. */
  count: number;
}

/** What the rule is called, and its place among all. */
export function NameFields({ draft, onChange, faults, count }: Readonly<NameFieldsProps>) {
  return (
    <Group align="flex-start" grow preventGrowOverflow={false}>
      <NameField
        name={draft.name}
        onChange={(name) => {
          onChange({ name });
        }}
        error={faults["name"]}
      />
      <NumberInput
        {...helped(texts.place, "priority")}
        description={draft.priority === undefined ? texts.last : undefined}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={draft.priority ?? ""}
        onChange={(value) => {
          onChange({ priority: typeof value === "number" ? value : undefined });
        }}
        error={faults["priority"]}
        min={1}
        max={count}
        maw={110}
      />
    </Group>
  );
}
