export interface TurnsOptions {
  /** How much work may run at once. */
  readonly size: number;
  /** How much of that one owner may have. */
  readonly share: number;
  /** How much work of one owner may wait. */
  readonly maxWaiting: number;
  /**
   * How long work may wait, in milliseconds.
   *
   * @default undefined: for ever
   */
  readonly patience?: number;
  /**
   * Called with a function that lets the next work begin, when some has ended.
   *
   * @default (next) => next()
   */
  readonly rest?: (next: () => void) => void;
}

/** Work that shares something scarce. Owners take turns, so that one with much work does not delay the others. */
export interface Turns {
  /**
   * Run `work` when it is its owner's turn. Work must not wait for more work of the same owner.
   *
   * @throws {BusyError} when too much work of the owner waits, or this work has waited too long
   * @throws the reason of `signal` when it is aborted before the work begins
   */
  run<T>(owner: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** How much work waits now. */
  waiting(): number;
  /** How much work was refused with a {@link BusyError}. */
  refused(): number;
}

/** Too much work of one owner waits, so no more is accepted. */
export class BusyError extends Error {
  override readonly name = "BusyError";
  readonly code = "EBUSY_ORG";

  constructor(waiting: number) {
    super(`${waiting} pieces of work of the same owner are waiting`);
  }
}

/** Nobody waits. */
export const UNLIMITED: Turns = { run: (_owner, work) => work(), waiting: () => 0, refused: () => 0 };

export function createTurns({ size, share, maxWaiting, patience, rest = startAtOnce }: TurnsOptions): Turns {
  const running = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>(); // the owner whose turn is next comes first
  let total = 0;
  let queued = 0;
  let refused = 0;

  return {
    async run(owner, work, signal) {
      signal?.throwIfAborted();
      await begin(owner, signal);
      try {
        return await work();
      } finally {
        rest(end.bind(undefined, owner));
      }
    },
    waiting: () => queued,
    refused: () => refused,
  };

  function begin(owner: string, signal: AbortSignal | undefined): Promise<void> | undefined {
    if (total < size && isBelowShare(owner)) {
      occupy(owner);
      return undefined;
    }
    const queue = waiting.get(owner) ?? [];
    if (queue.length >= maxWaiting) {
      refused++;
      throw new BusyError(queue.length);
    }
    waiting.set(owner, queue);
    queued++;
    return joinQueue(queue, { patience, signal }, () => {
      queued--;
      if (signal?.aborted !== true) refused++;
      if (queue.length === 0) waiting.delete(owner);
    });
  }

  function end(owner: string): void {
    total--;
    const left = (running.get(owner) ?? 1) - 1;
    if (left === 0) running.delete(owner);
    else running.set(owner, left);

    for (const [next, queue] of waiting) {
      if (total >= size) return;
      if (!isBelowShare(next)) continue;
      occupy(next);
      waiting.delete(next);
      queued--;
      queue.shift()?.();
      if (queue.length > 0) waiting.set(next, queue); // behind the others
    }
  }

  function isBelowShare(owner: string): boolean {
    return (running.get(owner) ?? 0) < share;
  }

  function occupy(owner: string): void {
    total++;
    running.set(owner, (running.get(owner) ?? 0) + 1);
  }
}

/** Resolves when its function in `queue` is called. Rejects, and leaves the queue, after `patience` or by `signal`. */
function joinQueue(
  queue: (() => void)[],
  { patience, signal }: { patience: number | undefined; signal: AbortSignal | undefined },
  onLeave: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () => {
      stopWaiting();
      resolve();
    };
    const leave = () => {
      stopWaiting();
      queue.splice(queue.indexOf(start), 1);
      onLeave();
      reject(signal?.aborted ? (signal.reason as Error) : new BusyError(queue.length));
    };
    const timer = patience === undefined ? undefined : setTimeout(leave, patience);
    signal?.addEventListener("abort", leave, { once: true });
    queue.push(start);

    function stopWaiting(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
    }
  });
}

function startAtOnce(next: () => void): void {
  next();
}
