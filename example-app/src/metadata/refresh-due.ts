import { appendChanges } from "../audit/change-events.js";
import { describeJob } from "../audit/log-facts.js";
import { createRequestId } from "../audit/request-ids.js";
import { findDueMetadata, type DueMetadata } from "../store/records/due-metadata.js";
import { endLease, takeLease } from "../store/records/leases.js";
import { IDPS } from "../store/records/resource-tables.js";
import { QuotaError } from "../store/records/usage.js";
import type { Store } from "../store/store.js";
import type { MetadataRefresher, Refresh } from "./refresher.js";
import { SYSTEM } from "./system.js";

/** How many hosts a process asks at once. */
const CONCURRENCY = 4;

/** How many it asks before it takes the lease again. */
const BATCH = 16;

/** Longer than a batch takes, with ten seconds for each host. */
const LEASE_MS = 120_000;

export interface DueOptions {
  store: Pick<Store, "reader" | "write">;
  refresher: MetadataRefresher;
}

/**
 * A function that refreshes all metadata that is due. Of several processes on one database one does it at a time, and the
 * others do nothing.
 */
export function createDueRefresh({ store, refresher }: Readonly<DueOptions>): (signal: AbortSignal) => Promise<void> {
  const lease = { name: "idp-metadata", holder: createRequestId() };

  return async function refreshDue(signal) {
    if ((await findDue()).length === 0) return;
    let isHeld = false;
    try {
      while (!signal.aborted) {
        isHeld = await store.write((transaction) => takeLease(transaction, lease, LEASE_MS));
        const due = isHeld ? await findDue() : [];
        if (due.length === 0) return;
        await refreshAll(due, signal);
      }
    } finally {
      if (isHeld) await store.write((transaction) => endLease(transaction, lease));
    }
  };

  function findDue(): Promise<DueMetadata[]> {
    return findDueMetadata(store.reader, new Date().toISOString(), BATCH);
  }

  /** @throws the first error, after all were tried */
  async function refreshAll(due: readonly DueMetadata[], signal: AbortSignal): Promise<void> {
    const left = due.values(); // an iterator, which several workers share
    const errors: unknown[] = [];
    const work = async () => {
      for (const { orgId, id } of left) {
        await refreshOne(orgId, id, signal).catch((error: unknown) => errors.push(error));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    if (errors.length > 0) throw errors[0];
  }

  async function refreshOne(orgId: string, id: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const idp = await IDPS.find(store.reader, orgId, id);
    if (!idp?.metadata) return;
    const refresh = await refresher.fetch(idp, signal);
    try {
      await storeRefresh(orgId, refresh);
    } catch (error) {
      if (!(error instanceof QuotaError)) throw error;
      const failure = `the quota ${error.excess.quota} of the org is used up`;
      await storeRefresh(orgId, { ...refresh, protocol: idp.protocol, validators: {}, failure });
    }
  }

  async function storeRefresh(orgId: string, refresh: Refresh): Promise<void> {
    await store.write(async (transaction) => {
      const { events } = await refresher.store(transaction, orgId, refresh);
      await appendChanges(transaction, orgId, describeJob(createRequestId(), SYSTEM), events, { source: "metadata" });
    });
  }
}
