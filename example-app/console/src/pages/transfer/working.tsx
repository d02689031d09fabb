import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";

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
        <Text size="sm" role="status">
          {what}
          {seconds > 2 && `, for ${seconds} seconds`}
        </Text>
        <Button size="xs" variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}
