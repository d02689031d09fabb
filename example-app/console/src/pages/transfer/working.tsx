import { Button, Group, Progress, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useEffect, useState } from "react";
import { parts } from "../../texts/en/parts.js";
import { transfer } from "../../texts/en/transfer.js";

const SECOND_MS = 1_000;

/** Work that goes on, for how long already, and the way to end it. */
export function Working({ what, onCancel }: Readonly<{ what: string; onCancel: () => void }>) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      setSeconds((count) => count + 1);
    }, SECOND_MS);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return (
    <Stack gap="xs">
      <Progress value={100} animated aria-label={what} />
      <Group justify="space-between">
        <Text size="sm">
          <VisuallyHidden role="status">{what}</VisuallyHidden>
          {/* not every second once more */}
          <span aria-hidden="true">{seconds > 2 ? transfer.workingFor({ what, n: seconds }) : what}</span>
        </Text>
        <Button size="xs" variant="default" onClick={onCancel}>
          {parts.cancel}
        </Button>
      </Group>
    </Stack>
  );
}
