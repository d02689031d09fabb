import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { OwnDatabase } from "../contract/transaction.js";
import { expireDecisions } from "./decisions.js";

const DAY_MS = 86_400_000;

/** Time between checks for old events. Partitions are created weeks ahead. */
const INTERVAL_MS = 3_600_000;

/** Create partitions for coming events, where the database has partitions. */
export function prepareLog(store: Pick<OwnDatabase, "write">): Promise<void> {
  return store.write(({ db, dialect, now }) => dialect.addLogPartitions(db, now));
}

/**
 * Delete events published more than `days` ago, in small transactions, until `isStopped`. PostgreSQL drops whole weeks,
 * so an event may stay up to seven days longer. Decisions that events refer to stay a day longer still.
 */
export async function expireLog(
  store: Pick<OwnDatabase, "write">,
  days: number,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const expireSome = (): Promise<boolean> =>
    store.write(({ db, dialect, now }) =>
      dialect.expireLogEvents(db, new Date(Date.parse(now) - days * DAY_MS).toISOString()),
    );
  while (!isStopped() && (await expireSome())) await setImmediate();
  while (!isStopped() && (await store.write((transaction) => expireDecisions(transaction, days)))) await setImmediate();
}

export interface LogRetention {
  /** Waits for running work. */
  close(): Promise<void>;
}

export interface RetentionOptions {
  readonly days: number;
  /**
   * Deletes what else has become old.
   *
   * @default nothing
   */
  readonly expireOthers?: (isStopped: () => boolean) => Promise<void>;
  readonly log: Logger;
}

/** Delete events older than `days`, and what else is old, now and regularly until closed. After an error it tries again an hour later. */
export async function startLogRetention(
  store: Pick<OwnDatabase, "write">,
  { days, expireOthers, log }: RetentionOptions,
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
  const isStopped = (): boolean => isClosed;
  const expire = async (): Promise<void> => {
    await attempt(() => expireLog(store, days, isStopped));
    if (expireOthers) await attempt(() => expireOthers(isStopped));
  };

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
