/** A count in a window of time. */
export interface RateWindow {
  readonly key: string;
  count: number;
  /** When it ends, by `performance.now()`. */
  end: number;
  /** How many requests the other processes don't know of. */
  unreported: number;
  isReporting: boolean;
  /** Whether a refusal was told of. */
  isTold: boolean;
}

/** The windows of keys. A new key takes the room of one that has ended, or else of the one that counted least. */
export interface RateWindows {
  /** The window of a key, if it has not ended. */
  find(key: string): RateWindow | undefined;
  /** Begin the window of a key that has none. */
  begin(key: string): RateWindow;
  set(window: RateWindow, count: number): void;
}

/**
 * Keep at most `maxKeys` windows. So whoever has many addresses can't reset what others counted: each of their keys counts
 * little, and makes room for the next one.
 *
 * @param duration of a window, in milliseconds
 */
export function createRateWindows(duration: number, maxKeys: number): RateWindows {
  const windows = new Map<string, RateWindow>();
  const levels: Queue<RateWindow>[] = []; // by the logarithm of the count

  return {
    find(key) {
      const window = windows.get(key);
      return window && performance.now() < window.end ? window : undefined;
    },
    begin(key) {
      const now = performance.now();
      const known = windows.get(key);
      if (known) remove(known);
      const oldest = levels.map((level) => level.oldest()).filter((window) => window !== undefined);
      for (const window of oldest) if (window.end <= now) remove(window);
      if (windows.size >= maxKeys) remove(oldest.find(({ end }) => end > now));
      const window = { key, count: 0, end: now + duration, unreported: 0, isReporting: false, isTold: false };
      windows.set(key, window);
      levelOf(window).add(window);
      return window;
    },
    set(window, count) {
      const before = levelOf(window);
      window.count = count;
      const level = levelOf(window);
      if (level === before || windows.get(window.key) !== window) return;
      before.delete(window);
      level.add(window);
    },
  };

  function remove(window: RateWindow | undefined): void {
    if (!window) return;
    levelOf(window).delete(window);
    windows.delete(window.key);
  }

  function levelOf({ count }: RateWindow): Queue<RateWindow> {
    const level = 32 - Math.clz32(count);
    while (levels.length <= level) levels.push(createQueue());
    return levels[level] ?? createQueue();
  }
}

/** A set that finds its oldest member in constant time. */
interface Queue<T> {
  add(member: T): void;
  delete(member: T): void;
  oldest(): T | undefined;
}

function createQueue<T>(): Queue<T> {
  const members = new Set<T>();
  let rest = members.values(); // one iterator: each new one would skip all that was deleted
  let first: T | undefined;

  return {
    add: (member) => void members.add(member),
    delete: (member) => void members.delete(member),
    oldest() {
      while (members.size > 0 && (first === undefined || !members.has(first))) {
        const next = rest.next();
        if (next.done === true) rest = members.values();
        else first = next.value;
      }
      return members.size > 0 ? first : undefined;
    },
  };
}
