import { sql } from "kysely";
import { describeExcess, QUOTA_NAMES, type Excess, type QuotaName } from "../../model/quotas.js";
import type { Db } from "../contract/schema.js";
import type { WriteTransaction } from "../contract/transaction.js";

/*
 * How much of its quotas each org uses is counted in a table, because counting a million users takes long. Each
 * transaction that adds or removes records changes these counts, which also makes others of the same org wait. So
 * fifty that add at the same time don't exceed a quota.
 */

/** Changes of counts. */
export type Usage = Readonly<Partial<Record<QuotaName, number>>>;

/** The change would exceed a quota of the org. */
export class QuotaError extends Error {
  override readonly name = "QuotaError";
  readonly excess: Excess;

  constructor(excess: Excess) {
    super(describeExcess(excess));
    this.excess = excess;
  }
}

/** @throws {QuotaError} when a count that grows exceeds its quota */
export async function changeUsage(transaction: WriteTransaction, orgId: string, changes: Usage): Promise<void> {
  const [excess] = await addUsage(transaction, orgId, changes);
  if (excess) throw new QuotaError(excess);
}

/** @returns the quotas that are exceeded, of the counts that grow */
export async function addUsage({ db, quotas }: WriteTransaction, orgId: string, changes: Usage): Promise<Excess[]> {
  const changed = QUOTA_NAMES.flatMap((quota) => {
    const change = changes[quota] ?? 0;
    return change === 0 ? [] : [{ quota, change }];
  });
  if (changed.length === 0) return [];
  const rows = changed.map(({ quota, change }) => sql`(${orgId}, ${quota}, ${change})`);
  const { rows: counts } = await sql<{ quota: QuotaName; used: number }>`
    insert into org_usage (org_id, quota, used) values ${sql.join(rows)}
    on conflict (org_id, quota) do update set used = org_usage.used + excluded.used
    returning quota, used
  `.execute(db);
  const after = new Map(counts.map(({ quota, used }) => [quota, used]));
  return changed.flatMap(({ quota, change }) => {
    const used = after.get(quota) ?? 0;
    const limit = quotas[quota];
    return change > 0 && used > limit ? [{ quota, limit, before: used - change, after: used }] : [];
  });
}

/** How much of each quota the org uses; what it never used is missing. */
export async function readUsage(db: Db, orgId: string): Promise<Usage> {
  const rows = await db.selectFrom("org_usage").select(["quota", "used"]).where("org_id", "=", orgId).execute();
  return Object.fromEntries(rows.map(({ quota, used }) => [quota, used]));
}
