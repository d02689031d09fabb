import { sql } from "kysely";
import type { LogColumns } from "../contract/dialect.js";
import type { WriteTransaction } from "../contract/transaction.js";
import { ERASURE } from "./erased-text.js";

/** The clocks of two nodes may differ by so much. */
const CLOCK_SLACK_MS = 60_000;

/** What the log of an org has to do with events that waited on disk. */
export interface SpooledFacts {
  /** The `uuid` of those that it has already. */
  readonly written: ReadonlySet<string>;
  /** Whether somebody was erased from it after the first of them. Nothing that was written before may bring them back. */
  readonly isErased: boolean;
}

/**
 * Until the transaction ends, no other one writes to the log of the org.
 *
 * @param since when the first of the events happened, in milliseconds since 1970
 */
export async function findSpooledFacts(
  { db, dialect }: WriteTransaction,
  orgId: string,
  rows: readonly LogColumns[],
  since: number,
): Promise<SpooledFacts> {
  await sql`select org_id from log_heads where org_id = ${orgId} ${dialect.lockRows}`.execute(db);
  const from = new Date(since - CLOCK_SLACK_MS).toISOString();
  const later = db.selectFrom("log_events").where("org_id", "=", orgId).where("published", ">=", from);
  const requestIds = [...new Set(rows.map(({ request_id: id }) => id))];
  const written = await later.select("uuid").where("request_id", "in", requestIds).execute();
  const erasure = await later.select("uuid").where("event_type", "=", ERASURE).limit(1).executeTakeFirst();
  return { written: new Set(written.map(({ uuid }) => uuid)), isErased: erasure !== undefined };
}
