import { sql, type RawBuilder } from "kysely";
import { measureRule } from "../../model/quotas.js";
import type { Rule } from "../../model/records.js";
import { divideBySize } from "./batches.js";
import { measureRow } from "../contract/columns.js";
import { selectPage, type PageRange } from "../lists/pages.js";
import { RULE_SIZE } from "./queries.js";
import { fromRule, toRule } from "../contract/rows.js";
import { closePlace, findLastPriority, movePlace, openPlace } from "./rule-order.js";
import type { Db, RuleRow } from "../contract/schema.js";
import { createTable, type Selection, type Table } from "./table.js";
import type { WriteTransaction } from "../contract/transaction.js";
import { changeUsage } from "./usage.js";

const ROWS = createTable("rules", toRule, fromRule);

/** A new rule gets its given priority, or the last one before the default rule. Other rules make room. */
export const RULES: Table<RuleRow, Rule> = {
  ...ROWS,

  async insert(transaction, orgId, rule) {
    const { db } = transaction;
    await changeUsage(transaction, orgId, { rules: 1, ...compareRules(undefined, rule) });
    const last = await findLastPriority(db, orgId);
    const placed = { ...rule, priority: Math.min(rule.priority, last) };
    const position = await openPlace(db, orgId, placed.priority);
    await db
      .insertInto("rules")
      .values(fromRule(orgId, placed, position))
      .execute();
    transaction.changes.add(orgId, "rules", undefined, placed);
    return placed;
  },

  async update(transaction, orgId, before, after) {
    const { db } = transaction;
    const rule = { ...after };
    await changeUsage(transaction, orgId, compareRules(before, after));
    if (after.priority !== before.priority) {
      rule.priority = Math.min(after.priority, (await findLastPriority(db, orgId)) - 1);
      if (rule.priority !== before.priority) await movePlace(db, orgId, before, rule.priority);
    }
    const { org_id, id, ...columns } = fromRule(orgId, rule);
    await db
      .updateTable("rules")
      .set({ ...columns, position: sql<number>`position` })
      .where("org_id", "=", org_id)
      .where("id", "=", id)
      .execute();
    transaction.changes.add(orgId, "rules", before, rule);
    return rule;
  },

  async remove(transaction, orgId, rule) {
    await transaction.db.deleteFrom("rules").where("org_id", "=", orgId).where("id", "=", rule.id).execute();
    await changeUsage(transaction, orgId, { rules: -1, ...compareRules(rule, undefined) });
    await closePlace(transaction.db, orgId, rule.priority);
    transaction.changes.add(orgId, "rules", rule, undefined);
  },
};

const NOTHING = { patterns: 0, patternBytes: 0, dynamicRules: 0, ruleBytes: 0 };

/** How the quotas of what rules have are used when the rule changes. */
export function compareRules(before: Rule | undefined, after: Rule | undefined) {
  const [old, present] = [usageOf(before), usageOf(after)];
  return {
    patterns: present.patterns - old.patterns,
    patternBytes: present.patternBytes - old.patternBytes,
    dynamicRules: present.dynamicRules - old.dynamicRules,
    ruleBytes: present.ruleBytes - old.ruleBytes,
  };
}

/** The default rule counts for nothing. */
function usageOf(rule: Rule | undefined) {
  if (!rule || rule.system) return NOTHING;
  return { ...measureRule(rule), ruleBytes: measureRow("rules", fromRule("", rule)) };
}

/** By priority with the default rule last. Changes to other rules don't affect this order. */
export const RULE_ORDER: Selection<RuleRow>["order"] = [{ column: "system" }, { column: "position" }, { column: "id" }];

/** The most characters of the rules that a page of them reads: SQLite blocks the thread for a few milliseconds. */
const MAX_TRIED_CHARACTERS = 2 << 20;

/**
 * A page of the rules that are tried for a login, up to the match with this id, and one more; and the match itself. There
 * are fewer rules, and `isCut`, if they are too large.
 */
export async function readTriedRules(
  db: Db,
  orgId: string,
  id: string,
  page: PageRange,
): Promise<{ match: RuleRow; rows: RuleRow[]; isCut: boolean }> {
  const rules = db.selectFrom("rules").where("org_id", "=", orgId);
  const match = await rules.selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  let tried = rules;
  if (match.system === 0) tried = rules.where("system", "=", 0).where("position", "<=", match.position);
  const sizes = await selectPage(tried.select(RULE_SIZE), page, RULE_ORDER).execute();
  const count = divideBySize(sizes, MAX_TRIED_CHARACTERS)[0]?.length ?? 0;
  const rows = await selectPage(tried.selectAll(), { ...page, fetchLimit: count }, RULE_ORDER).execute();
  return { match, rows, isCut: count < sizes.length };
}

/** The types of those identity providers that the org has, by id. */
export async function findIdpTypes(db: Db, orgId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const query = db.selectFrom("idps").select(["id", "type"]).where("org_id", "=", orgId).where("id", "in", ids);
  return new Map((await query.execute()).map(({ id, type }) => [id, type]));
}

/** The ids of those zones that the org has. */
export async function findZoneIds(db: Db, orgId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const query = db.selectFrom("zones").select("id").where("org_id", "=", orgId).where("id", "in", ids);
  return new Set((await query.execute()).map(({ id }) => id));
}

type RuleName = Pick<Rule, "id" | "name">;

/** The first `limit` rules that lead to the identity provider with this id. */
export function findRulesToIdp(
  transaction: WriteTransaction,
  orgId: string,
  id: string,
  limit: number,
): Promise<RuleName[]> {
  return findRulesHolding(transaction, orgId, { id, json: sql.ref("actions"), limit });
}

/** The first `limit` rules with a condition on the zone with this id. */
export function findRulesOnZone(
  transaction: WriteTransaction,
  orgId: string,
  id: string,
  limit: number,
): Promise<RuleName[]> {
  const { contains, memberOf } = transaction.dialect;
  // searching the text first avoids parsing the JSON of most rules
  const json = sql<string>`case when ${contains(sql.ref("conditions"), id)} then ${memberOf("conditions", "network")} end`;
  return findRulesHolding(transaction, orgId, { id, json, limit });
}

/** @param json a part of the rule without free text, so that an id in it is a reference */
function findRulesHolding(
  { db, dialect }: WriteTransaction,
  orgId: string,
  { id, json, limit }: Readonly<{ id: string; json: RawBuilder<string>; limit: number }>,
): Promise<RuleName[]> {
  return db
    .selectFrom("rules")
    .select(["id", "name"])
    .where("org_id", "=", orgId)
    .where(dialect.contains(json, `"${id}"`))
    .orderBy("priority")
    .limit(limit)
    .execute();
}
