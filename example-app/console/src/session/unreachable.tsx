import { Center, Stack } from "@mantine/core";
import { Problem } from "../parts/problem.js";
import { parts } from "../texts/en/parts.js";
import { shell } from "../texts/en/shell.js";

/** In place of every page, while nobody can tell who is signed in. */
export function Unreachable({ error, onRetry }: Readonly<{ error: Error; onRetry: () => void }>) {
  return (
    <Center mih="100vh" p="md" component="main">
      <title>{shell.console}</title>
      <Stack align="center">
        <Problem error={error} />
        <button type="button" className="shell-button shell-words" onClick={onRetry}>
          {parts.tryAgain}
        </button>
      </Stack>
    </Center>
  );
}
