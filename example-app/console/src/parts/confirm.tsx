import { Alert, Group, Stack, Text } from "@mantine/core";
import type { ComponentProps, ReactNode } from "react";
import { ConfirmButtons } from "./confirm-buttons.js";

interface ConfirmProps extends Omit<ComponentProps<typeof ConfirmButtons>, "size"> {
  title: string;
  /** What it does, and what can't be undone. */
  children: ReactNode;
}

/** Asks before something that can't be undone. It stands where the button was, and takes the focus. */
export function Confirm({ title, children, ...buttons }: Readonly<ConfirmProps>) {
  return (
    <Alert color="red" variant="light" title={title} role="group" aria-label={title}>
      <Stack gap="sm">
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group gap="xs">
          <ConfirmButtons {...buttons} size="xs" />
        </Group>
      </Stack>
    </Alert>
  );
}
