import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { ListenError } from "../../listen.js";
import { formatWorkers, type MetricValues } from "../../monitoring/metrics.js";
import { DEGRADED, type Obstacle } from "../../monitoring/readiness.js";
import { openAdmin } from "./admin-port.js";
import type { Settings } from "../settings/settings.js";
import type { StartedServer } from "./start.js";
import { createAskWorker } from "./worker-questions.js";

/** Delay between the end of a worker and the start of its replacement. */
const MIN_RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;

/** A worker that ran for this long was healthy; its replacement starts after the shortest delay. */
const STABLE_MS = 60_000;

/** The message of a worker that has begun to listen. */
type Announcement = Pick<StartedServer, "url" | "example" | "terminalText">;

/** Tell the parent process that this worker listens. */
export function announceWorker({ url, example, terminalText }: Announcement): void {
  process.send?.({ url, example, terminalText } satisfies Announcement);
}

/**
 * Run this program in several processes that share its port, and replace each one that ends by itself. The admin port is
 * the parent's, and tells of all of them.
 *
 * @throws {ListenError} when one of them can't start; that process has written the reason to standard error
 */
export async function startWorkers(settings: Settings, log: Logger): Promise<StartedServer> {
  let state: Obstacle | undefined = "starting";
  let restartDelay = MIN_RESTART_MS;
  const workers = new Map<number, Worker>(); // by place, from 1; a replacement has the place of the one that ended
  const ask = createAskWorker();
  const admin = await openAdmin(settings, { readiness: { findObstacle }, formatMetrics, log });

  const places = Array.from({ length: settings.workers }, (_, i) => i + 1);
  const [announcement, ...others] = await Promise.all(places.map(launch));
  if (announcement === undefined || others.includes(undefined)) {
    await close();
    throw new ListenError("A worker process did not start");
  }
  state = undefined;
  return { ...announcement, adminUrl: admin?.url, reload, close };

  /** Resolves with `undefined` when the worker ends before it listens. */
  async function launch(place: number): Promise<Announcement | undefined> {
    const worker = cluster.fork();
    workers.set(place, worker);
    const start = performance.now();
    const ended = once(worker, "exit").then(() => {
      workers.delete(place);
      if (state === undefined) void replace(place, worker, performance.now() - start);
      return undefined;
    });
    return Promise.race([announcementOf(worker), ended]);
  }

  async function replace(place: number, { process: child }: Worker, age: number): Promise<void> {
    const { pid, exitCode, signalCode } = child;
    log.error({ worker: pid, exitCode, signalCode }, "worker ended");
    restartDelay = age > STABLE_MS ? MIN_RESTART_MS : Math.min(restartDelay * 2, MAX_RESTART_MS);
    await sleep(restartDelay);
    if (state === undefined) await launch(place);
  }

  /** One worker that is ready is enough: the others get no connections. */
  async function findObstacle(): Promise<Obstacle | undefined> {
    if (state !== undefined) return state;
    const obstacles = await Promise.all(Array.from(workers.values(), (worker) => ask(worker, "obstacle")));
    if (obstacles.includes(null)) return undefined;
    const known = (obstacles as (Obstacle | undefined)[]).filter((obstacle) => obstacle !== undefined);
    return known.find((obstacle) => obstacle === DEGRADED) ?? known[0] ?? "starting";
  }

  async function formatMetrics(): Promise<string> {
    const asked = Array.from(workers, async ([place, worker]) => [place, await ask(worker, "metrics")] as const);
    const answers = (await Promise.all(asked)).filter(([, values]) => values !== undefined);
    return formatWorkers(new Map(answers as [number, MetricValues][]));
  }

  function reload(): void {
    for (const worker of workers.values()) worker.process.kill("SIGHUP");
  }

  async function close(): Promise<void> {
    state = "draining";
    await Promise.all(Array.from(workers.values(), stop));
    await admin?.close();
  }
}

/** The first message that is no answer. */
function announcementOf(worker: Worker): Promise<Announcement> {
  return new Promise((resolve) => {
    worker.on("message", function listen(message: Partial<Announcement>) {
      if (message.url === undefined) return;
      worker.off("message", listen);
      resolve({ url: message.url, example: message.example, terminalText: message.terminalText });
    });
  });
}

/** A terminal also signals the workers, so this may be their second signal; see `signals.ts`. */
async function stop(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const exited = once(worker, "exit");
  worker.process.kill("SIGTERM");
  await exited;
}
