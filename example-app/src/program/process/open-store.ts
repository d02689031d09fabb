import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { createDetachedStore } from "../../snapshot/detached-store.js";
import { createSnapshotSealer, openSnapshot, SNAPSHOT_FILE, SnapshotError } from "../../snapshot/snapshot-file.js";
import { isUnavailable, StoreError } from "../../store/contract/errors.js";
import type { Store } from "../../store/store.js";
import type { Settings } from "../settings/settings.js";

interface OpenOptions {
  readonly open: () => Promise<Store>;
  readonly findSecrets: () => Promise<readonly string[]>;
  readonly log: Pick<Logger, "warn">;
}

/**
 * Open the database or, while it is away, the snapshot of it.
 *
 * @throws {StoreError} when neither can be opened, with the reasons in one line
 */
export async function openStoreOrSnapshot(
  { dataFolder, databaseUrl, staleLimit }: Pick<Settings, "dataFolder" | "databaseUrl" | "staleLimit">,
  { open, findSecrets, log }: Readonly<OpenOptions>,
): Promise<Store> {
  try {
    return await open();
  } catch (error) {
    const isAway = error instanceof StoreError && isUnavailable(error.cause);
    if (!isAway || databaseUrl === undefined || staleLimit === 0) throw error;
    try {
      const path = join(dataFolder, SNAPSHOT_FILE);
      const secrets = existsSync(path) ? await findSecrets() : []; // which would make one
      const snapshot = await openSnapshot(path, createSnapshotSealer(secrets));
      if (Date.now() - snapshot.time >= staleLimit) {
        await snapshot.close();
        throw new SnapshotError(`the snapshot of ${new Date(snapshot.time).toISOString()} is older than --stale-limit`);
      }
      log.warn({ err: error, snapshot: new Date(snapshot.time) }, "the database is away: a snapshot is served");
      return createDetachedStore({ snapshot, limit: staleLimit, open, log });
    } catch (reason) {
      if (reason instanceof SnapshotError)
        throw new StoreError(`${error.message}; ${reason.message}`, { cause: error.cause });
      throw reason;
    }
  }
}
