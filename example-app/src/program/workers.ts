import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { ListenError } from "../server.js";
import type { StartedServer } from "./start.js";

/** Delay between the end of a worker and the start of its replacement. */
const MIN_RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;

/** A worker that ran for this long was healthy; its replacement starts after the shortest delay. */
const STABLE_MS = 60_000;

/** The message of a worker that has begun to listen. */
type Announcement = Pick<StartedServer, "url" | "example">;

/** Tell the parent process that this worker listens. */
export function announceWorker({ url, example }: Announcement): void {
  process.send?.({ url, example } satisfies Announcement);
}

/**
 * Run this program in `count` processes that share its port, and replace each one that ends by itself.
 *
 * @throws {ListenError} when one of them can't start; that process has written the reason to standard error
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
  return { ...announcement, reload, close };

  /** Resolves with `undefined` when the worker ends before it listens. */
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

  function reload(): void {
    for (const worker of workers) worker.process.kill("SIGHUP");
  }

  async function close(): Promise<void> {
    serving = false;
    await Promise.all([...workers].map(stop));
  }
}

/** A terminal also signals the workers, so this may be their second signal; see `signals.ts`. */
async function stop(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const exited = once(worker, "exit");
  worker.process.kill("SIGTERM");
  await exited;
}
