import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { Store } from "./store.js";

const DAY_MS = 86_400_000;

/** How often is looked for what has become old; partitions are made weeks ahead. */
const INTERVAL_MS = 3_600_000;

/** Make room for the events to come, where that must be done in advance. */
export function prepareLog(store: Pick<Store, "write">): Promise<void> {
  return store.write(({ db, dialect, now }) => dialect.addLogPartitions(db, now));
}

/**
 * Remove what was published more than `days` ago, little by little, until `isStopped`. On PostgreSQL whole weeks go at
 * once, so that an event may stay up to seven days longer.
 */
export async function expireLog(
  store: Pick<Store, "write">,
  days: number,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const expireSome = (): Promise<boolean> =>
    store.write(({ db, dialect, now }) =>
      dialect.expireLogEvents(db, new Date(Date.parse(now) - days * DAY_MS).toISOString()),
    );
  while (!isStopped() && (await expireSome())) await setImmediate();
}

export interface LogRetention {
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** Keep the log as long as `days`, from now on until it is closed. What fails is tried again an hour later. */
export async function startLogRetention(
  store: Pick<Store, "write">,
  { days, log }: Readonly<{ days: number; log: Logger }>,
): Promise<LogRetention> {
  let isClosed = false;

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, "the log could not be brought up to date");
    }
  }

  const prepare = (): Promise<void> => attempt(() => prepareLog(store));
  const expire = (): Promise<void> => attempt(() => expireLog(store, days, () => isClosed));

  await prepare();
  let running = expire();
  const timer = setInterval(() => {
    running = running.then(prepare).then(expire);
  }, INTERVAL_MS).unref();

  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await running;
    },
  };
}
