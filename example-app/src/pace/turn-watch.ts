/** A turn of the event loop that takes longer is long: others wait for it. In milliseconds. */
export const MAX_TURN_MS = 20;

/** A long turn, and whose it was: the one for whom the code worked longest. */
export interface LongTurn {
  /** The length of the turn in milliseconds, like the next. */
  readonly duration: number;
  /** The part of it that was theirs. */
  readonly share: number;
  /** For whom the code worked; `undefined` for work of the server's own. */
  readonly who: object | undefined;
  /** What took longest of their part. */
  readonly what: string;
}

/**
 * Measures turns of the event loop. Code says for whom it works where it begins, and where it goes on after it has waited: what
 * runs until the next says so, or until the end of the turn, is theirs.
 */
export interface TurnWatch {
  /** The one for whom the code works now, if known. */
  readonly who: object | undefined;
  /**
   * Say for whom the code that follows works, and what it does.
   *
   * @param now the time, if the caller has it already
   */
  enter(what: string, who: object | undefined, now?: number): void;
  /** Take over that a timer was late by so many milliseconds, for long turns in which no code said anything. */
  noteLag(lag: number): void;
}

export interface TurnWatchOptions {
  /** Called at the end of each long turn. */
  readonly report: (turn: LongTurn) => void;
  /**
   * The time in milliseconds.
   *
   * @default performance.now
   */
  readonly clock?: () => number;
  /**
   * Call a function at the end of this turn.
   *
   * @default setImmediate
   */
  readonly atEnd?: (end: () => void) => void;
}

/** Measures nothing. */
export const NO_WATCH: TurnWatch = { who: undefined, enter: ignore, noteLag: ignore };

export function createTurnWatch({
  report,
  clock = () => performance.now(),
  atEnd = setImmediate,
}: TurnWatchOptions): TurnWatch {
  let isRunning = false;
  let start = 0; // of the turn, of the part of its owner, and of the piece of that part
  let partStart = 0;
  let pieceStart = 0;
  let who: object | undefined;
  let what = "";
  let slowest = { what: "", duration: 0 }; // piece of this part
  let longest: LongTurn | undefined; // with the part so far
  let wasReported = false; // since the last lag

  function endPiece(now: number): void {
    const duration = now - pieceStart;
    if (duration >= slowest.duration) slowest = { what, duration };
    pieceStart = now;
  }

  function endPart(now: number): void {
    const share = now - partStart;
    if (longest === undefined || share > longest.share) longest = { duration: 0, share, who, what: slowest.what };
    slowest = { what: "", duration: 0 };
    partStart = now;
  }

  function end(): void {
    const now = clock();
    endPiece(now);
    endPart(now);
    const duration = now - start;
    if (duration > MAX_TURN_MS && longest) {
      wasReported = true;
      report({ ...longest, duration });
    }
    isRunning = false;
    who = undefined;
    longest = undefined;
  }

  return {
    get who() {
      return who;
    },
    enter(nextWhat, nextWho, now = clock()) {
      if (!isRunning) {
        isRunning = true;
        start = partStart = pieceStart = now;
        atEnd(end);
      } else {
        endPiece(now);
        if (nextWho !== who) endPart(now);
      }
      who = nextWho;
      what = nextWhat;
    },
    noteLag(lag) {
      if (lag > MAX_TURN_MS && !wasReported) report({ duration: lag, share: lag, who: undefined, what: "unknown" });
      wasReported = false;
    },
  };
}

/** `nextTurn`, after which the code works for the same as before. */
export function resumeAfter<T>(watch: TurnWatch, what: string, nextTurn: () => Promise<T>): () => Promise<T> {
  return async () => {
    const { who } = watch;
    const value = await nextTurn();
    watch.enter(what, who);
    return value;
  };
}

function ignore(): void {
  // nobody wants to know
}
