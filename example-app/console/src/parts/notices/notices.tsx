import { Affix, CloseButton, Group, Paper, Stack, Text } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { useCallback, useEffect, useState, type ReactNode } from "react";
import { useMayRestore } from "../history/use-may-restore.js";
import { visible } from "../visible.js";
import { Undo } from "./undo.js";
import { NoticeContext, type Done } from "./use-notice.js";

/** Shows what was done last, with a way back, until one closes it, opens a form or visits another page. */
export function Notices({ children }: Readonly<{ children: ReactNode }>) {
  const [done, setDone] = useState<Done & { at: number }>();
  const tell = useCallback((next: Done | undefined) => {
    setDone(next && { ...next, at: performance.now() });
  }, []);
  const page = useRouterState({ select: ({ location }) => location.pathname.split("/")[1] });
  const mayRestore = useMayRestore();
  useEffect(() => {
    setDone(undefined);
  }, [page]);
  return (
    <NoticeContext value={tell}>
      {children}
      <Affix position={{ bottom: 16, right: 16 }} role="status" zIndex={400}>
        {done && (
          <Paper withBorder shadow="md" p="sm" maw="calc(100vw - 32px)">
            <Stack gap="xs">
              <Group gap="sm" wrap="nowrap">
                <Text size="sm" className="foreign">
                  {visible(done.text)}.
                </Text>
                {done.id !== undefined && mayRestore && (
                  <Undo key={done.at} id={done.id} at={done.at} onUndone={tell} />
                )}
                <CloseButton
                  size="sm"
                  aria-label="Close the message"
                  onClick={() => {
                    setDone(undefined);
                  }}
                />
              </Group>
            </Stack>
          </Paper>
        )}
      </Affix>
    </NoticeContext>
  );
}
