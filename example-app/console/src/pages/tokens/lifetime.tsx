import { Group, Select, TextInput } from "@mantine/core";
import { helped } from "../../parts/help.js";
import type { ReactNode } from "react";
import { tokenForm } from "../../texts/en/token-form.js";

/** When a token ends: after some hours, at a date, or as the server decides. */
export interface Lifetime {
  readonly choice: string;
  /** The text of the field for a date: local, without a zone. */
  readonly date: string;
}

export const USUAL: Lifetime = { choice: "usual", date: "" };

const HOUR_MS = 3_600_000;

const AT = "at";

const DAY_HOURS = 24;

const DAYS = [1, 7, 30, 90];

const YEAR_DAYS = 365;

/** `undefined` for what the server decides, and for a date that is not complete. */
export function toExpiry({ choice, date }: Lifetime): string | undefined {
  if (choice === USUAL.choice) return undefined;
  if (choice !== AT) return new Date(Date.now() + Number(choice) * HOUR_MS).toISOString();
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function listChoices() {
  return [
    { value: USUAL.choice, label: tokenForm.usual },
    { value: "1", label: tokenForm.hours({ n: 1 }) },
    ...DAYS.map((n) => ({ value: String(n * DAY_HOURS), label: tokenForm.days({ n }) })),
    { value: String(YEAR_DAYS * DAY_HOURS), label: tokenForm.years({ n: 1 }) },
    { value: AT, label: tokenForm.at },
  ];
}

interface LifetimeFieldsProps {
  lifetime: Lifetime;
  onChange: (lifetime: Lifetime) => void;
  fault: ReactNode;
}

export function LifetimeFields({ lifetime, onChange, fault }: Readonly<LifetimeFieldsProps>) {
  const { choice, date } = lifetime;
  return (
    <Group align="flex-end" grow>
      <Select
        {...helped(tokenForm.lifetime, "lifetime")}
        data={listChoices()}
        value={choice}
        onChange={(value) => {
          onChange({ ...lifetime, choice: value ?? USUAL.choice });
        }}
        error={fault}
        allowDeselect={false}
      />
      {choice === AT && (
        <TextInput
          label={tokenForm.until}
          type="datetime-local"
          value={date}
          onChange={(event) => {
            onChange({ ...lifetime, date: event.currentTarget.value });
          }}
          required
        />
      )}
    </Group>
  );
}
