import { setTimeout as sleep } from "node:timers/promises";
import { patient } from "./patience.js";

/** In milliseconds: longer than what comes soon takes on a busy machine, and shorter than jest waits for a test. */
const PATIENCE = patient(25_000);

/** Asks until the answer is true, and gives it. When it never is, the error has the text of the question. */
export async function until<T>(ask: () => T | Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`not so within ${PATIENCE / 1_000} seconds: ${ask.toString()}`);
    await sleep(10);
  }
}
