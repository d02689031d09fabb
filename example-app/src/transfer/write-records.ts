import type { Rule } from "../model/records.js";
import { fromRule } from "../store/contract/rows.js";
import type { DbTransaction, Tables } from "../store/contract/schema.js";
import { upsertRows } from "../store/records/batches.js";
import { clearPlaces, resetPositions } from "../store/records/rule-order.js";
import type { RecordTable } from "../store/records/table.js";

type Write<R> = (db: DbTransaction, orgId: string, records: readonly R[]) => Promise<void>;

/** A function that inserts records into a table, or updates them. */
export function writeTo<R, T extends RecordTable>(table: T, toRow: (orgId: string, record: R) => Tables[T]): Write<R> {
  function* rowsOf(orgId: string, records: readonly R[]): Generator<Tables[T]> {
    for (const record of records) yield toRow(orgId, record);
  }
  return (db, orgId, records) => upsertRows(db, table, rowsOf(orgId, records));
}

const writeRuleRows = writeTo<Rule, "rules">("rules", fromRule);

/** Positions of rules that were not written change too: they may lie between others. */
export async function writeRules(db: DbTransaction, orgId: string, rules: readonly Rule[]): Promise<void> {
  if (rules.length === 0) return;
  await clearPlaces(db, orgId, rules);
  await writeRuleRows(db, orgId, rules);
  await resetPositions(db, orgId);
}
