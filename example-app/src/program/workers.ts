import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { ListenError } from "../server.js";
import type { StartedServer } from "./start.js";

/** Between the end of a worker and the start of the one that takes its place. */
const MIN_RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;

/** A worker that has served for so long was sound: the next one is started at once. */
const STABLE_MS = 60_000;

/** What a worker tells when it listens. */
type Announcement = Pick<StartedServer, "url" | "example">;

/** Tell the process that started this worker that it serves. */
export function announceWorker({ url, example }: Announcement): void {
  process.send?.({ url, example } satisfies Announcement);
}

/**
 * Run this program in `count` processes that share its port. One that ends by itself is replaced.
 *
 * @throws {ListenError} when one of them can't start; it has said why on the standard error
 */
export async function startWorkers(count: number, log: Logger): Promise<StartedServer> {
  let serving = false;
  let restartDelay = MIN_RESTART_MS;
  const workers = new Set<Worker>();

  const [announcement, ...others] = await Promise.all(Array.from({ length: count }, launch));
  if (announcement === undefined || others.includes(undefined)) {
    await close();
    throw new ListenError("A worker process did not start");
  }
  serving = true;
  return { ...announcement, close };

  /** `undefined` when it ends before it listens. */
  async function launch(): Promise<Announcement | undefined> {
    const worker = cluster.fork();
    workers.add(worker);
    const start = performance.now();
    const ended = once(worker, "exit").then(() => {
      workers.delete(worker);
      if (serving) void replace(worker, performance.now() - start);
      return undefined;
    });
    const announced = once(worker, "message").then(([message]) => message as Announcement);
    return Promise.race([announced, ended]);
  }

  async function replace({ process: { pid, exitCode, signalCode } }: Worker, age: number): Promise<void> {
    log.error({ worker: pid, exitCode, signalCode }, "worker ended");
    restartDelay = age > STABLE_MS ? MIN_RESTART_MS : Math.min(restartDelay * 2, MAX_RESTART_MS);
    await sleep(restartDelay);
    if (serving) await launch();
  }

  async function close(): Promise<void> {
    serving = false;
    await Promise.all([...workers].map(stop));
  }
}

/** Signals from a terminal reach the workers too, so this may be the second; see `signals.ts`. */
async function stop(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const exited = once(worker, "exit");
  worker.process.kill("SIGTERM");
  await exited;
}
