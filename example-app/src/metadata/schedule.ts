import type { Logger } from "pino";
import type { Store } from "../store/store.js";
import { createDueRefresh, type DueOptions } from "./refresh-due.js";

/** Between looks for what is due, in milliseconds. */
const INTERVAL_MS = 30_000;

/** A change of a record may be a new address: the next look comes so soon after it. */
const SOON_MS = 500;

export interface ScheduleOptions extends DueOptions {
  store: DueOptions["store"] & Pick<Store, "watchChanges">;
  log: Logger;
}

export interface MetadataSchedule {
  /** Gives up what is being fetched, and waits for what is being stored. */
  close(): Promise<void>;
}

/** Refresh the metadata of all orgs when it is due. An error of the database ends one look, not the next. */
export function scheduleMetadata({ log, ...options }: Readonly<ScheduleOptions>): MetadataSchedule {
  const refreshDue = createDueRefresh(options);
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  let wasChanged = false; // since the look began
  let timer: NodeJS.Timeout | undefined;
  let isSoon = false;
  const watcher = options.store.watchChanges(() => {
    wasChanged = true;
    if (!running && !isSoon) lookIn(SOON_MS);
  });
  lookIn(SOON_MS);

  return {
    async close() {
      closing.abort();
      clearTimeout(timer);
      await watcher.close();
      await running;
    },
  };

  function lookIn(delay: number): void {
    if (closing.signal.aborted) return;
    clearTimeout(timer);
    isSoon = delay === SOON_MS;
    timer = setTimeout(look, delay).unref();
  }

  function look(): void {
    wasChanged = false;
    isSoon = false;
    running = refreshDue(closing.signal)
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.warn({ err: error }, "metadata of providers could not be refreshed");
      })
      .finally(() => {
        running = undefined;
        lookIn(wasChanged ? SOON_MS : INTERVAL_MS);
      });
  }
}
