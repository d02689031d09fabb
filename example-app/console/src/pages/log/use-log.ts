import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { send, withQuery, type Answer } from "../../api/http.js";
import type { LogEvent } from "../../api/types.js";

/** Events of one page; a page with fewer is the end of the log, for now. */
const PAGE_SIZE = 200;

/** The pause at the end of the log and after a failure, in milliseconds. */
const PAUSE_MS = 2_000;
const FAILURE_PAUSE_MS = 5_000;

export interface LogQuestion {
  /** Only events since then. */
  readonly since: string;
  readonly filter: string | undefined;
}

export interface Log {
  /** The newest first. */
  readonly events: readonly LogEvent[];
  /** Newer ones, which wait until somebody asks for them. */
  readonly waiting: readonly LogEvent[];
  /** Whether the newest events were read. */
  readonly isCurrent: boolean;
  /** Whether there are older ones. */
  readonly hasOlder: boolean;
  readonly isReadingOlder: boolean;
  readonly error: Error | undefined;
  readonly showOlder: () => void;
  readonly showWaiting: () => void;
}

type State = Omit<Log, "hasOlder" | "showOlder" | "showWaiting"> & { readonly older: string | undefined };

const EMPTY: State = {
  events: [],
  waiting: [],
  isCurrent: false,
  older: undefined,
  isReadingOlder: false,
  error: undefined,
};

/**
 * The log, the newest events first, live: it follows what comes after, and pauses while nobody looks.
 *
 * @param isHeld whether somebody is about to press a row: then new events wait
 */
export function useLog({ since, filter }: LogQuestion, isLive: boolean, isHeld: () => boolean): Log {
  const client = useQueryClient();
  const [state, setState] = useState<State>(EMPTY);
  const held = useRef(isHeld);
  held.current = isHeld;
  const read = (path: string, signal?: AbortSignal): Promise<Answer<LogEvent[]>> =>
    client.query({
      queryKey: ["log", path],
      queryFn: () => send<LogEvent[]>(path, { signal }),
      staleTime: 0,
      gcTime: 0,
      retry: false,
    });
  const reading = useRef(read);
  reading.current = read;

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setState(EMPTY);
    void readNewest().then(async (newest) => newest !== undefined && isLive && follow(newest));
    return () => {
      controller.abort();
    };

    /** @returns when the newest event was */
    async function readNewest(): Promise<string | undefined> {
      for (;;) {
        const page = await attempt(pathOf(since, filter, "DESCENDING"));
        if (signal.aborted) return undefined;
        if (page) {
          setState({ ...EMPTY, events: page.data, older: page.next, isCurrent: true });
          return page.data[0]?.published ?? since;
        }
        if (!isLive) return undefined;
        await pause(FAILURE_PAUSE_MS, signal);
      }
    }

    async function follow(from: string): Promise<void> {
      for (let next = pathOf(from, filter, "ASCENDING"); !signal.aborted;) {
        const page = await attempt(next);
        if (isStopped(signal)) return;
        if (page) {
          const isWaiting = held.current();
          setState((before) => add(before, page.data, isWaiting));
          if (page.next === undefined) return;
          next = page.next;
        }
        const isEnd = !page || page.data.length < PAGE_SIZE;
        if (isEnd) await pause(page ? PAUSE_MS : FAILURE_PAUSE_MS, signal);
        while (document.hidden && !isStopped(signal)) await pause(PAUSE_MS, signal);
      }
    }

    async function attempt(path: string): Promise<Answer<LogEvent[]> | undefined> {
      try {
        return await reading.current(path, signal);
      } catch (error) {
        if (!signal.aborted) setState((before) => ({ ...before, error: error as Error }));
        return undefined;
      }
    }
  }, [since, filter, isLive]);

  const { older, ...log } = state;
  return {
    ...log,
    hasOlder: older !== undefined && log.events.length > 0,
    showOlder() {
      if (older === undefined) return;
      setState((before) => ({ ...before, isReadingOlder: true }));
      read(older).then(
        ({ data, next }) => {
          setState((before) => ({
            ...before,
            events: [...before.events, ...data],
            older: data.length === 0 ? undefined : next,
            isReadingOlder: false,
          }));
        },
        (error: unknown) => {
          setState((before) => ({ ...before, error: error as Error, isReadingOlder: false }));
        },
      );
    },
    showWaiting() {
      setState((before) => ({ ...before, events: [...before.waiting, ...before.events], waiting: [] }));
    },
  };
}

function pathOf(since: string, filter: string | undefined, sortOrder: "ASCENDING" | "DESCENDING"): string {
  return withQuery("/api/v1/logs", { since, limit: PAGE_SIZE, filter, sortOrder });
}

/** The first page that follows begins with the newest event, which is there already. */
function add(before: State, data: readonly LogEvent[], isWaiting: boolean): State {
  const known = new Set([...before.waiting, ...before.events.slice(0, PAGE_SIZE)].map(({ uuid }) => uuid));
  const fresh = data.filter(({ uuid }) => !known.has(uuid)).toReversed();
  const waiting = [...fresh, ...before.waiting];
  const others = { ...before, error: undefined };
  return isWaiting ? { ...others, waiting } : { ...others, waiting: [], events: [...waiting, ...before.events] };
}

function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
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
