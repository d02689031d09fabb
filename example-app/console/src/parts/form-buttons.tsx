import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { parts } from "../texts/en/parts.js";

interface FormButtonsProps {
  /** On the button that sends the form: `Save`. */
  action: string;
  isPending: boolean;
  onCancel: () => void;
  /** Why the form was not sent. */
  refusal?: ReactNode;
  /** What else one can do: delete the record. */
  aside?: ReactNode;
}

/** The end of a form, which stays in view: leave it, or send it, and why that failed. */
export function FormButtons({ action, isPending, onCancel, refusal, aside }: Readonly<FormButtonsProps>) {
  return (
    <Stack gap="xs" className="form-buttons">
      {refusal}
      <Group justify="space-between" gap="xs">
        {aside ?? <span />}
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {parts.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
