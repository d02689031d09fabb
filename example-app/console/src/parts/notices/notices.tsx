import { Group, Paper, Stack, Text } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect, useState, type ReactNode } from "react";
import { useMayRestore } from "../history/use-may-restore.js";
import { parts } from "../../texts/en/parts.js";
import { Close } from "../close.js";
import { later } from "../later.js";
import { visible } from "../visible.js";
import { NoticeContext, type Done } from "./use-notice.js";

const Undo = later(async () => (await import("./undo.js")).Undo);
const UndoAll = later(async () => (await import("./undo.js")).UndoAll);

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
      <div className="notice" role="status">
        {done && (
          <Paper withBorder shadow="md" p="sm" maw="calc(100vw - 32px)">
            <Stack gap="xs">
              <Group gap="sm" wrap="nowrap">
                <Text size="sm" className="foreign">
                  {parts.sentence({ text: visible(done.text) })}
                </Text>
                {done.id !== undefined && mayRestore && (
                  <Suspense>
                    <Undo key={done.at} id={done.id} at={done.at} onUndone={tell} />
                  </Suspense>
                )}
                {done.all && (
                  <Suspense>
                    <UndoAll key={done.at} {...done.all} onUndone={tell} />
                  </Suspense>
                )}
                <Close
                  label={parts.closeMessage}
                  onClick={() => {
                    setDone(undefined);
                  }}
                />
              </Group>
            </Stack>
          </Paper>
        )}
      </div>
    </NoticeContext>
  );
}
