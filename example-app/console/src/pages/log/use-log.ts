import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { send, withQuery, type Answer } from "../../api/http.js";
import type { LogEvent } from "../../api/types.js";
import { MAX_EVENTS } from "./keep-newest.js";
import { addNewer, addOlder, EMPTY, showWaiting, type LogState } from "./log-state.js";

/** The most events of one page. */
const PAGE_SIZE = 200;

/** How many of the newest events are read without being asked for, with at most so many requests. */
const NEWEST = 1_000;
const MAX_PAGES = 10;

/** The pause at the end of the log and after a failure, in milliseconds. */
const PAUSE_MS = 2_000;
const FAILURE_PAUSE_MS = 5_000;

export interface LogQuestion {
  readonly filter: string | undefined;
  readonly q: string | undefined;
  /** Only events since then. */
  readonly since: string;
  /** Only events before then; without it the log goes on. */
  readonly until: string | undefined;
}

export interface Log extends Omit<LogState, "older"> {
  /** Whether there may be older ones. */
  readonly hasOlder: boolean;
  readonly showOlder: () => void;
  readonly showWaiting: () => void;
}

/**
 * The log, the newest events first, live: it follows what comes after, and pauses while nobody looks.
 *
 * @param isHeld whether somebody is about to press a row: then new events wait
 */
export function useLog(question: LogQuestion, isLive: boolean, isHeld: () => boolean): Log {
  const client = useQueryClient();
  const [state, setState] = useState(EMPTY);
  const held = useRef(isHeld);
  held.current = isHeld;
  const waiting = useRef(0);
  waiting.current = state.waiting.length;
  const reading = useRef<Reading>(undefined);
  const { since, until, filter, q } = question;

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const asked = { since, until, filter, q };
    const follows = isLive && until === undefined;
    setState(EMPTY);
    reading.current = { readOlder };
    void readNewest().then(async (newest) => newest !== undefined && follows && follow(newest));
    return () => {
      controller.abort();
    };

    /** @returns when the newest event was */
    async function readNewest(): Promise<string | undefined> {
      for (;;) {
        const page = await attempt(pathOf(asked, "DESCENDING"));
        if (signal.aborted) return undefined;
        if (page) {
          setState({ ...EMPTY, events: page.data, older: page.next, isCurrent: true });
          void readOlder(page.next, NEWEST - page.data.length);
          return page.data[0]?.published ?? (page.next === undefined ? since : minuteAgo());
        }
        if (!follows) return undefined;
        await pause(FAILURE_PAUSE_MS, signal);
      }
    }

    async function readOlder(first: string | undefined, wanted: number): Promise<void> {
      let found = 0;
      let next = first;
      for (let pages = 0; next !== undefined && found < wanted && pages < MAX_PAGES; pages++) {
        setState((before) => ({ ...before, isReadingOlder: true }));
        const path = next;
        const page = await attempt(path);
        if (!page || isStopped(signal)) break;
        found += page.data.length;
        next = page.next;
        setState((before) => addOlder(before, path, page));
      }
      if (!signal.aborted) setState((before) => ({ ...before, isReadingOlder: false }));
    }

    async function follow(from: string): Promise<void> {
      for (let next = pathOf({ ...asked, since: from }, "ASCENDING"); !signal.aborted;) {
        const page = await attempt(next);
        if (isStopped(signal)) return;
        if (page) {
          const isWaiting = held.current();
          setState((before) => addNewer(before, page.data, isWaiting, (last) => pathBefore(asked, last)));
          if (page.next === undefined) return;
          next = page.next;
        }
        const isEnd = !page || page.data.length < PAGE_SIZE;
        if (isEnd) await pause(page ? PAUSE_MS : FAILURE_PAUSE_MS, signal);
        const isFull = () => waiting.current >= MAX_EVENTS;
        while ((document.hidden || isFull()) && !isStopped(signal)) await pause(PAUSE_MS, signal);
      }
    }

    async function attempt(path: string): Promise<Answer<LogEvent[]> | undefined> {
      try {
        return await client.query({
          queryKey: ["log", path],
          queryFn: () => send<LogEvent[]>(path, { signal }),
          staleTime: 0,
          gcTime: 0,
          retry: false,
        });
      } catch (error) {
        if (!signal.aborted) setState((before) => ({ ...before, error: error as Error }));
        return undefined;
      }
    }
  }, [client, since, until, filter, q, isLive]);

  const { older, ...log } = state;
  return {
    ...log,
    hasOlder: older !== undefined,
    showOlder() {
      if (!log.isReadingOlder) void reading.current?.readOlder(older, PAGE_SIZE);
    },
    showWaiting() {
      setState((before) => showWaiting(before, (last) => pathBefore(question, last)));
    },
  };
}

interface Reading {
  readonly readOlder: (first: string | undefined, wanted: number) => Promise<void>;
}

export function pathOf(question: LogQuestion, sortOrder: "ASCENDING" | "DESCENDING", limit = PAGE_SIZE): string {
  return withQuery("/api/v1/logs", { ...question, limit, sortOrder });
}

function pathBefore(question: LogQuestion, until: string | undefined): string {
  return pathOf({ ...question, until }, "DESCENDING");
}

/** Where one begins to follow when no event was found so far; the clock of the server may be another one. */
function minuteAgo(): string {
  return new Date(Date.now() - 60_000).toISOString();
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
