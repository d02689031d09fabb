import { within } from "../pace/within.js";

/** For so long the answer of the database counts. So a flood of probes causes one query in this time. */
const FRESH_MS = 1_000;

/** A database that takes longer does not answer. Probes wait for a second (Kubernetes), or for their interval (HAProxy). */
const PATIENCE_MS = 800;

/** What is in the way of requests: of all, or of those that need the database. */
export type Obstacle = "starting" | "draining" | "the database does not answer" | typeof DEGRADED;

/** The database does not answer; discovery goes on without it. */
export const DEGRADED = "degraded: the database does not answer";

/** Whether a server should get requests. */
export function isReady(obstacle: Obstacle | undefined): boolean {
  return obstacle === undefined || obstacle === DEGRADED;
}

/** Whether a server should get requests. */
export interface Readiness {
  /** What is in the way, or `undefined` when the server is ready. It takes less than a second. */
  readonly findObstacle: () => Promise<Obstacle | undefined>;
  /** Whether the start is done and the server is not about to end. */
  readonly isServing: () => boolean;
  /**
   * The start is done. `ping` asks the database for something, and rejects when it does not answer.
   *
   * @param covers whether discovery goes on without a database that has not answered for so many milliseconds
   */
  readonly begin: (ping: () => Promise<unknown>, covers?: (age: number) => boolean) => void;
  /** The server is about to end. */
  readonly drain: () => void;
}

/** A server that starts. */
export function createReadiness(): Readiness {
  let isAnswered: (() => Promise<boolean>) | undefined;
  let isCovered = (_age: number): boolean => false;
  let isDraining = false;
  let answered = -Infinity; // when the database did last

  return {
    async findObstacle() {
      if (isDraining) return "draining";
      if (!isAnswered) return "starting";
      if (await isAnswered()) return undefined;
      return isCovered(performance.now() - answered) ? DEGRADED : "the database does not answer";
    },
    isServing: () => isAnswered !== undefined && !isDraining,
    begin(ping, covers = isCovered) {
      isCovered = covers;
      answered = performance.now(); // a server that has started has read from it
      isAnswered = askSeldom(() =>
        ping().then(() => {
          answered = performance.now();
        }),
      );
    },
    drain() {
      isDraining = true;
    },
  };
}

/** Ask with `ping` whether the database answers: one question at a time, however many callers there are. */
function askSeldom(ping: () => Promise<unknown>): () => Promise<boolean> {
  let answer = Promise.resolve(false);
  let isPending = false;
  let freshUntil = -Infinity;

  async function ask(): Promise<boolean> {
    isPending = true;
    const result = ping().then(
      () => true,
      () => false,
    );
    void result.then(() => {
      isPending = false;
      freshUntil = performance.now() + FRESH_MS;
    });
    return within(PATIENCE_MS, result);
  }

  return () => {
    if (!isPending && performance.now() >= freshUntil) answer = ask();
    return answer;
  };
}
