import { Group, Select, TextInput } from "@mantine/core";

/** When a token ends: after some hours, at a date, or as the server decides. */
export interface Lifetime {
  readonly choice: string;
  /** The text of the field for a date: local, without a zone. */
  readonly date: string;
}

export const USUAL: Lifetime = { choice: "usual", date: "" };

const HOUR_MS = 3_600_000;

const AT = "at";

const CHOICES = [
  { value: USUAL.choice, label: "As the server decides" },
  { value: "1", label: "1 hour" },
  { value: "24", label: "1 day" },
  { value: "168", label: "7 days" },
  { value: "720", label: "30 days" },
  { value: "2160", label: "90 days" },
  { value: "8760", label: "1 year" },
  { value: AT, label: "Until a date" },
];

/** `undefined` for what the server decides, and for a date that is not complete. */
export function toExpiry({ choice, date }: Lifetime): string | undefined {
  if (choice === USUAL.choice) return undefined;
  if (choice !== AT) return new Date(Date.now() + Number(choice) * HOUR_MS).toISOString();
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

interface LifetimeFieldsProps {
  lifetime: Lifetime;
  onChange: (lifetime: Lifetime) => void;
  fault: string | undefined;
}

export function LifetimeFields({ lifetime, onChange, fault }: Readonly<LifetimeFieldsProps>) {
  const { choice, date } = lifetime;
  return (
    <Group align="flex-end" grow>
      <Select
        label="How long it is valid"
        data={CHOICES}
        value={choice}
        onChange={(value) => {
          onChange({ ...lifetime, choice: value ?? USUAL.choice });
        }}
        error={fault}
        allowDeselect={false}
      />
      {choice === AT && (
        <TextInput
          label="Until, in your time zone"
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
