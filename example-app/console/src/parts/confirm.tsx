import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface ConfirmProps {
  title: string;
  /** What it does, and what can't be undone. */
  children: ReactNode;
  /** On the button that does it. */
  action: string;
  isPending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something that can't be undone. It stands where the button was, and takes the focus. */
export function Confirm({ title, children, action, isPending, onConfirm, onCancel }: Readonly<ConfirmProps>) {
  return (
    <Alert color="red" variant="light" title={title} role="group" aria-label={title}>
      <Stack gap="sm">
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onCancel} autoFocus>
            Cancel
          </Button>
          <Button size="xs" color="red.9" loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
