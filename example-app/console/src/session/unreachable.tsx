import { Button, Center, Stack } from "@mantine/core";
import { Problem } from "../parts/problem.js";

/** In place of every page, while nobody can tell who is signed in. */
export function Unreachable({ error, onRetry }: Readonly<{ error: Error; onRetry: () => void }>) {
  return (
    <Center mih="100vh" p="md" component="main">
      <title>Console</title>
      <Stack align="center">
        <Problem error={error} />
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Center>
  );
}
