import type { Worker } from "node:cluster";

/** What the parent process asks its workers. */
export interface Answers {
  /** What is in the way of requests; `null` for nothing. */
  readonly obstacle: () => Promise<unknown>;
  readonly metrics: () => Promise<unknown>;
}

/** A worker that is busy for longer has no answer. Its readiness takes two seconds at most. */
const PATIENCE_MS = 3_000;

interface Question {
  readonly question: keyof Answers;
  readonly id: number;
}

interface Reply {
  readonly replyTo: number;
  readonly value: unknown;
}

/** Answer the questions of the parent process. */
export function answerParent(answers: Answers): void {
  process.on("message", (message: Partial<Question>) => {
    const { question, id } = message;
    if (question === undefined || id === undefined) return;
    void answers[question]().then((value) => process.send?.({ replyTo: id, value } satisfies Reply));
  });
}

/** Asks workers. */
export type AskWorker = (worker: Worker, question: keyof Answers) => Promise<unknown>;

/** Make the function that asks a worker. The answer is `undefined` when the worker says nothing in time, or has ended. */
export function createAskWorker(): AskWorker {
  let last = 0;

  return function askWorker(worker, question) {
    const id = ++last;
    return new Promise((resolve) => {
      const settle = (value: unknown): void => {
        clearTimeout(timer);
        worker.off("message", listen);
        worker.off("disconnect", settle);
        resolve(value);
      };
      const listen = (message: Partial<Reply>): void => {
        if (message.replyTo === id) settle(message.value);
      };
      const timer = setTimeout(settle, PATIENCE_MS);
      worker.on("message", listen);
      worker.once("disconnect", settle);
      if (worker.isConnected()) worker.send({ question, id } satisfies Question);
      else settle(undefined);
    });
  };
}
