import { Badge, CloseButton, Group, TextInput } from "@mantine/core";
import type { Moment } from "./search.js";

interface MomentFieldProps {
  moment: Moment;
  onChange: (moment: Moment) => void;
  /** What the server says is wrong with the time. */
  fault: string | undefined;
}

/** The time whose rules decide; by default now. */
export function MomentField({ moment, onChange, fault }: Readonly<MomentFieldProps>) {
  const { at, revision } = moment;
  return (
    <Group align="flex-end" gap="sm" mt="md">
      <TextInput
        type="datetime-local"
        step={1}
        label="With the rules of"
        description="Empty for now."
        value={at === undefined ? "" : toLocal(at)}
        onChange={(event) => {
          onChange({ at: toUtc(event.currentTarget.value) });
        }}
        error={fault}
        w={260}
      />
      {revision !== undefined && (
        <Badge
          variant="light"
          size="lg"
          tt="none"
          rightSection={
            <CloseButton
              size="xs"
              aria-label="Use the rules of now"
              onClick={() => {
                onChange({});
              }}
            />
          }
        >
          Revision {revision}
        </Badge>
      )}
    </Group>
  );
}

/** `2026-01-31T09:00:00` in the person's own time zone */
function toLocal(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function toUtc(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
