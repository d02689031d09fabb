import { mkdir, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Logger } from "pino";
import { lockFile } from "../store/engine/file-lock.js";
import { refreshSnapshot, type SnapshotOptions } from "./refresh-snapshot.js";

/** Time between two snapshots, and before the first, in milliseconds. */
const INTERVAL_MS = 60_000;
const FIRST_MS = 1_000;

/** A file that `createSnapshot` has begun. */
const TEMPORARY_REGEXP = /^snapshot\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface SnapshotKeeperOptions extends SnapshotOptions {
  readonly log: Pick<Logger, "warn">;
}

/**
 * Keep a snapshot of what discovery needs: written when something has changed, at most every minute, by one process of those
 * that share the folder.
 */
export function keepSnapshot({ log, ...options }: SnapshotKeeperOptions): { close: () => Promise<void> } {
  let unlock: (() => void) | undefined;
  let isClosed = false;
  let isFailing = false;
  let running: Promise<void> | undefined;
  let timer = setTimeout(begin, FIRST_MS).unref();

  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
      unlock?.();
    },
  };

  function begin(): void {
    running = attempt().finally(() => {
      if (!isClosed) timer = setTimeout(begin, INTERVAL_MS).unref();
    });
  }

  async function attempt(): Promise<void> {
    try {
      unlock ??= await lock(options.path);
      if (unlock) await refreshSnapshot(options, () => isClosed);
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isClosed)
        log.warn({ err: error }, "the snapshot for a start without the database is not written");
      isFailing = true;
    }
  }
}

/** Who has the lock removes what a process that was killed wrote in part. */
async function lock(path: string): Promise<(() => void) | undefined> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await (await open(`${path}.lock`, "a", 0o600)).close();
  const unlock = lockFile(`${path}.lock`);
  const names = unlock ? await readdir(folder) : [];
  for (const name of names.filter((each) => TEMPORARY_REGEXP.test(each))) await rm(join(folder, name));
  return unlock;
}
