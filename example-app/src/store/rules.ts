import { sql, type RawBuilder } from "kysely";
import { measurePatterns } from "../model/quotas.js";
import type { Rule } from "../model/records.js";
import { selectPage, type PageRange } from "./pages.js";
import { fromRule, toRule } from "./rows.js";
import { closePlace, findLastPriority, movePlace, openPlace } from "./rule-order.js";
import type { Db, RuleRow } from "./schema.js";
import { createTable, type Selection, type Table } from "./table.js";
import type { WriteTransaction } from "./transaction.js";
import { changeUsage } from "./usage.js";

const ROWS = createTable("rules", toRule, fromRule);

/** A new rule gets its given priority, or the last one before the default rule. Other rules make room. */
export const RULES: Table<RuleRow, Rule> = {
  ...ROWS,

  async insert(transaction, orgId, rule) {
    const { db } = transaction;
    await changeUsage(transaction, orgId, { rules: 1, ...measurePatterns(rule.conditions) });
    const last = await findLastPriority(db, orgId);
    const placed = { ...rule, priority: Math.min(rule.priority, last) };
    const position = await openPlace(db, orgId, placed.priority);
    await db
      .insertInto("rules")
      .values(fromRule(orgId, placed, position))
      .execute();
    return placed;
  },

  async update(transaction, orgId, before, after) {
    const { db } = transaction;
    const rule = { ...after };
    await changeUsage(transaction, orgId, comparePatterns(before, after));
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
    return rule;
  },

  async remove(transaction, orgId, rule) {
    await ROWS.remove(transaction, orgId, rule);
    await changeUsage(transaction, orgId, comparePatterns(rule, undefined));
    await closePlace(transaction.db, orgId, rule.priority);
  },
};

/** How the quotas of patterns are used when the rule changes. */
export function comparePatterns(before: Rule | undefined, after: Rule | undefined) {
  const old = measurePatterns(before?.conditions ?? {});
  const { patterns, patternBytes } = measurePatterns(after?.conditions ?? {});
  return { patterns: patterns - old.patterns, patternBytes: patternBytes - old.patternBytes };
}

/** By priority with the default rule last. Changes to other rules don't affect this order. */
export const RULE_ORDER: Selection<RuleRow>["order"] = [{ column: "system" }, { column: "position" }, { column: "id" }];

/** A page of the rules that are tried for `login`, up to the match with this id, and one more; and the match itself. */
export async function readTriedRules(
  db: Db,
  orgId: string,
  id: string,
  { login, page }: Readonly<{ login: string; page: PageRange }>,
): Promise<{ match: RuleRow; rows: RuleRow[] }> {
  const rules = db.selectFrom("rules").selectAll().where("org_id", "=", orgId);
  const match = await rules.where("id", "=", id).executeTakeFirstOrThrow();
  let tried = rules;
  if (login === "")
    tried = rules.where("system", "=", 1); // an empty login goes straight to the default rule (rule W1)
  else if (match.system === 0) tried = rules.where("system", "=", 0).where("position", "<=", match.position);
  return { match, rows: await selectPage(tried, page, RULE_ORDER).execute() };
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
