import type { Rule } from "../model/records.js";
import { fromRule } from "../store/contract/rows.js";
import type { Tables } from "../store/contract/schema.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { upsertRows } from "../store/records/batches.js";
import { clearPlaces, resetPositions } from "../store/records/rule-order.js";
import type { RecordTable } from "../store/records/table.js";

type Transaction = Pick<WriteTransaction, "db" | "dialect">;

type Write<R> = (transaction: Transaction, orgId: string, records: readonly R[]) => Promise<void>;

/** A function that inserts records into a table, or updates them. */
export function writeTo<R, T extends RecordTable>(table: T, toRow: (orgId: string, record: R) => Tables[T]): Write<R> {
  function* rowsOf(orgId: string, records: readonly R[]): Generator<Tables[T]> {
    for (const record of records) yield toRow(orgId, record);
  }
  return (transaction, orgId, records) => upsertRows(transaction, table, rowsOf(orgId, records));
}

const writeRuleRows = writeTo<Rule, "rules">("rules", fromRule);

/** Positions of rules that were not written change too: they may lie between others. */
export async function writeRules(transaction: Transaction, orgId: string, rules: readonly Rule[]): Promise<void> {
  if (rules.length === 0) return;
  const { db } = transaction;
  await clearPlaces(db, orgId, rules);
  await writeRuleRows(transaction, orgId, rules);
  await resetPositions(db, orgId);
}
