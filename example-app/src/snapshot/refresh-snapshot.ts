import { utimes } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Sealer } from "../disk/sealing.js";
import type { Db } from "../store/contract/schema.js";
import { findOrgRow, readIdps, readOrg } from "../store/records/queries.js";
import { listRevisions, readRoutingData, readTrustData } from "../store/records/routing-data.js";
import type { Store } from "../store/store.js";
import {
  createSnapshot,
  makeOrgFrames,
  openSnapshot,
  type IndexedOrg,
  type Snapshot,
  type SnapshotEntry,
} from "./snapshot-file.js";

export interface SnapshotOptions {
  readonly store: Pick<Store, "read" | "reader">;
  readonly path: string;
  /** With the newest secret alone: what has another is written again. */
  readonly sealer: Sealer;
  /** @default 10,000: those whose log was written last */
  readonly maxOrgs?: number;
  /** No org begins after so many bytes. @default 256 MiB */
  readonly maxBytes?: number;
}

type Revision = Pick<IndexedOrg, "id" | "revision">;

/**
 * Write the snapshot if anything has changed, and note that the database confirms it. Orgs that have not changed are copied from
 * the file before.
 *
 * @param isStopped whether to give up
 */
export async function refreshSnapshot(options: SnapshotOptions, isStopped = () => false): Promise<void> {
  const { store, path, sealer, maxOrgs = 10_000, maxBytes = 268_435_456 } = options;
  const time = new Date();
  const wanted = await listRevisions(store.reader, maxOrgs);
  const present = await openSnapshot(path, sealer).catch(() => undefined);
  try {
    if (!present || !isCurrent(present, wanted, maxBytes)) await write();
    await utimes(path, time, time);
  } finally {
    await present?.close();
  }

  async function write(): Promise<void> {
    const known = new Map((present?.orgs ?? []).map((org) => [org.id, org]));
    const file = await createSnapshot(path, sealer);
    try {
      for (const { id, revision } of wanted) {
        if (isStopped()) throw new Error("the server ends");
        if (file.size > maxBytes) break;
        const before = known.get(id);
        if (present && before?.revision === revision) await file.add(before, present.copy(before));
        else {
          const found = await store.read((db) => readContent(db, id));
          if (found) await file.add(found.org, makeOrgFrames(found.entries(), found.org, sealer));
        }
        await setImmediate();
      }
      await file.finish();
    } catch (error) {
      await file.abandon();
      throw error;
    }
  }
}

/** Whether the file has these revisions, or no room for them. */
function isCurrent({ orgs, size }: Snapshot, wanted: readonly Revision[], maxBytes: number): boolean {
  const known = new Map(orgs.map(({ id, revision }) => [id, revision]));
  const ids = new Set(wanted.map(({ id }) => id));
  return (
    orgs.every(({ id }) => ids.has(id)) &&
    wanted.every(({ id, revision }) => (known.has(id) ? known.get(id) === revision : size > maxBytes))
  );
}

async function readContent(db: Db, id: string) {
  const row = await findOrgRow(db, "id", id);
  const routing = row && (await readRoutingData(db, id));
  const trust = routing && (await readTrustData(db, id));
  if (!trust) return undefined; // removed meanwhile
  const org = await readOrg(db, row);
  const idps = await readIdps(db, id);
  const { policyId, whenProfileUnavailable, revision, rules, zones, bytes: routingBytes } = routing;
  const { trustedOrigins, redirectOrigins, issuers, bytes: trustBytes } = trust;
  const policy = { policyId, whenProfileUnavailable, routingBytes };
  const content = { org, ...policy, trustedOrigins, redirectOrigins, issuers, trustBytes };
  const { subdomain, domains } = org;
  return {
    org: { id, revision, subdomain, domains },
    *entries(): Generator<SnapshotEntry> {
      yield ["org", content];
      for (const idp of idps) yield ["idp", idp];
      for (const zone of zones) yield ["zone", zone];
      for (const rule of rules) yield ["rule", rule];
    },
  };
}
