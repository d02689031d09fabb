import { Button, Group } from "@mantine/core";

interface FormButtonsProps {
  /** On the button that sends the form: `Save`. */
  action: string;
  isPending: boolean;
  onCancel: () => void;
}

/** The end of a form: leave it, or send it. */
export function FormButtons({ action, isPending, onCancel }: Readonly<FormButtonsProps>) {
  return (
    <Group gap="xs" justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isPending}>
        {action}
      </Button>
    </Group>
  );
}
