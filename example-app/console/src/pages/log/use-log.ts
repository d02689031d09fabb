import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { send } from "../../api/http.js";
import type { LogEvent } from "../../api/types.js";

/** Events of one page; a page with fewer is the end of the log, for now. */
export const PAGE_SIZE = 200;

/** The newest events that the page keeps. */
const MAX_EVENTS = 2_000;

/** The pause at the end of the log and after a failure, in milliseconds. */
const PAUSE_MS = 2_000;
const FAILURE_PAUSE_MS = 5_000;

export interface Log {
  /** The newest first. */
  readonly events: readonly LogEvent[];
  /** Whether the end of the log was reached. */
  readonly isCurrent: boolean;
  readonly error: Error | undefined;
}

const EMPTY: Log = { events: [], isCurrent: false, error: undefined };

/** The log from `path` on, live: it follows `next`, and pauses while nobody looks. */
export function useLog(path: string, isLive: boolean): Log {
  const client = useQueryClient();
  const [log, setLog] = useState<Log>(EMPTY);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setLog(EMPTY);
    void follow();
    return () => {
      controller.abort();
    };

    async function follow(): Promise<void> {
      for (let next = path; !isStopped();) {
        try {
          const page = await client.query({
            queryKey: ["log", next],
            queryFn: () => send<LogEvent[]>(next, { signal }),
            staleTime: 0,
            gcTime: 0,
            retry: false,
          });
          if (isStopped()) return;
          const isEnd = page.data.length < PAGE_SIZE;
          setLog(({ events }) => ({
            events: [...page.data.toReversed(), ...events].slice(0, MAX_EVENTS),
            isCurrent: isEnd,
            error: undefined,
          }));
          if (page.next === undefined || (isEnd && !isLive)) return;
          next = page.next;
          if (isEnd) await pause(PAUSE_MS, signal);
        } catch (error) {
          if (isStopped()) return;
          setLog((before) => ({ ...before, error: error as Error }));
          if (!isLive) return;
          await pause(FAILURE_PAUSE_MS, signal);
        }
        while (document.hidden && !isStopped()) await pause(PAUSE_MS, signal);
      }
    }

    function isStopped(): boolean {
      return signal.aborted;
    }
  }, [client, path, isLive]);

  return log;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
