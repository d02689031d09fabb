/** For so long the answer of the database counts. So a flood of probes causes one query in this time. */
const FRESH_MS = 1_000;

/** A database that takes longer does not answer. */
const PATIENCE_MS = 2_000;

/** Why a server should get no requests. */
export type Obstacle = "starting" | "draining" | "the database does not answer";

/** Whether a server should get requests. */
export interface Readiness {
  /** What is in the way, or `undefined` when the server is ready. It takes two seconds at most. */
  readonly findObstacle: () => Promise<Obstacle | undefined>;
  /** Whether the start is done and the server is not about to end. */
  readonly isServing: () => boolean;
  /** The start is done. `ping` asks the database for something, and rejects when it does not answer. */
  readonly begin: (ping: () => Promise<unknown>) => void;
  /** The server is about to end. */
  readonly drain: () => void;
}

/** A server that starts. */
export function createReadiness(): Readiness {
  let isAnswered: (() => Promise<boolean>) | undefined;
  let isDraining = false;

  return {
    async findObstacle() {
      if (isDraining) return "draining";
      if (!isAnswered) return "starting";
      return (await isAnswered()) ? undefined : "the database does not answer";
    },
    isServing: () => isAnswered !== undefined && !isDraining,
    begin(ping) {
      isAnswered = askSeldom(ping);
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

/** The result, or `false` when it takes longer than `ms`. */
function within(ms: number, result: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false);
    void result.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
