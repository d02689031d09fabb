import type { LogEvent } from "../../api/types.js";
import { keepNewest } from "./keep-newest.js";

/** Of events, with the path of the next one. */
interface Page {
  readonly data: readonly LogEvent[];
  readonly next: string | undefined;
}

/** What was read of the log. */
export interface LogState {
  /** The newest first. */
  readonly events: readonly LogEvent[];
  /** Newer ones, which wait until somebody asks for them. */
  readonly waiting: readonly LogEvent[];
  /** Whether the newest page was read. It may have no event: the server searches a part of the log for each. */
  readonly isCurrent: boolean;
  /** Where one reads on before the oldest event; `undefined` when it is the first one. */
  readonly older: string | undefined;
  readonly isReadingOlder: boolean;
  readonly error: Error | undefined;
}

export const EMPTY: LogState = {
  events: [],
  waiting: [],
  isCurrent: false,
  older: undefined,
  isReadingOlder: false,
  error: undefined,
};

/** So many of the newest events may come once more: the first page that follows begins with the newest, which is there already. */
const KNOWN = 200;

/** Where one reads on before an event. */
type PathBefore = (until: string | undefined) => string;

/**
 * What is there with a page of newer events, the oldest first. A page without news changes nothing, so that nothing is drawn
 * anew.
 *
 * @param isWaiting whether they wait until somebody asks for them
 */
export function addNewer(before: LogState, data: readonly LogEvent[], isWaiting: boolean, path: PathBefore): LogState {
  const fresh = withoutKnown(before, data);
  if (fresh.length === 0 && !before.error && (isWaiting || before.waiting.length === 0)) return before;
  const now = { ...before, error: undefined, waiting: [...fresh.toReversed(), ...before.waiting] };
  return isWaiting ? now : showWaiting(now, path);
}

function withoutKnown({ waiting, events }: LogState, data: readonly LogEvent[]): readonly LogEvent[] {
  if (data.length === 0) return data;
  const known = new Set([...waiting, ...events.slice(0, KNOWN)].map(({ uuid }) => uuid));
  return data.filter(({ uuid }) => !known.has(uuid));
}

/** With the events that wait, and without the oldest if they are too many. Whoever asks for those reads them again. */
export function showWaiting(before: LogState, path: PathBefore): LogState {
  const all = [...before.waiting, ...before.events];
  const events = keepNewest(all);
  const older = events.length === all.length ? before.older : path(events.at(-1)?.published);
  return { ...before, waiting: [], events, older };
}

/**
 * What is there with a page of older events.
 *
 * @param asked its path: what comes after other events than those that are there now has no place here
 */
export function addOlder(before: LogState, asked: string, { data, next }: Page): LogState {
  if (before.older !== asked) return before;
  return { ...before, events: [...before.events, ...data], older: next, error: undefined };
}
