import { sql, type RawBuilder } from "kysely";
import type { Db, IdpRow, RuleRow } from "../contract/schema.js";
import { columnOf, COUNT_DAYS, dayOf, hourOf } from "./decisions.js";

/** A time range: whole hours, the end is exclusive. */
export interface HourRange {
  readonly since: string;
  readonly until: string;
}

/** How often a rule selected a provider in a time range. */
export interface CountedPair {
  readonly rule_id: string;
  /** Empty for the org itself. */
  readonly provider_id: string;
  readonly count: number;
  /** The time of the last decision on these days. */
  readonly last: string;
}

type Place = Pick<CountedPair, "rule_id" | "provider_id">;

export interface CountQuery extends HourRange {
  /** Those of this rule. */
  readonly ruleId: string | undefined;
  /** Those behind this pair. */
  readonly after: Place | undefined;
  readonly limit: number;
}

/** Rows that one page reads: SQLite blocks the thread for a few milliseconds. A pair has one for each day. */
const MAX_ROWS = 50 * (COUNT_DAYS + 2);

/**
 * The pairs with decisions in a time range, by their ids.
 *
 * @returns `end`, the last pair that was read, if there are more pairs than one page reads
 */
export async function readCounts(
  db: Db,
  orgId: string,
  { since, until, ruleId, after, limit }: CountQuery,
): Promise<{ rows: CountedPair[]; end: Place | undefined }> {
  const conditions = [
    sql`org_id = ${orgId}`,
    ...(ruleId === undefined ? [] : [sql`rule_id = ${ruleId}`]),
    ...(after ? [sql`(rule_id, provider_id) > (${after.rule_id}, ${after.provider_id})`] : []),
  ];
  const pairs = sql`from decision_counts where ${sql.join(conditions, sql` and `)}`;
  const { rows: beyond } = await sql<Place>`
    select rule_id, provider_id ${pairs} order by rule_id, provider_id, day limit 1 offset ${sql.lit(MAX_ROWS)}
  `.execute(db);
  const [cut] = beyond;
  const whole = cut ? sql`${pairs} and (rule_id, provider_id) < (${cut.rule_id}, ${cut.provider_id})` : pairs;
  const { rows } = await sql<CountedPair>`
    select * from (
      select rule_id, provider_id, sum(${sumOf({ since, until })}) as count,
        max(case when day <= ${dayOf(until)} then last end) as last
      ${whole} group by rule_id, provider_id
    ) as counted where count > 0 order by rule_id, provider_id limit ${limit}
  `.execute(db);
  if (!cut || rows.length === limit) return { rows, end: undefined };
  const { rows: last } = await sql<Place>`
    select rule_id, provider_id ${whole} order by rule_id desc, provider_id desc limit 1
  `.execute(db);
  return { rows, end: last[0] };
}

/** The decisions of a row in the range. */
function sumOf({ since, until }: HourRange): RawBuilder<number> {
  const [first, last] = [since, until].map(dayOf);
  const [begin, end] = [hourOf(since), hourOf(until)];
  if (first === last) return sql`case when day = ${first} then ${sumHours(begin, end)} else 0 end`;
  return sql`case
    when day = ${first} then ${sumHours(begin, 24)}
    when day = ${last} then ${sumHours(0, end)}
    when day > ${first} and day < ${last} then ${sumHours(0, 24)}
    else 0 end`;
}

function sumHours(begin: number, end: number): RawBuilder<number> {
  const columns = Array.from({ length: end - begin }, (_, index) => columnOf(begin + index));
  return sql.raw(["0", ...columns].join(" + "));
}

/** What the rules and providers of pairs are called, by their ids, unless they were removed. */
export interface CountedNames {
  readonly rules: ReadonlyMap<string, Pick<RuleRow, "name">>;
  readonly providers: ReadonlyMap<string, Pick<IdpRow, "name" | "type">>;
}

export async function findCounted(db: Db, orgId: string, pairs: readonly Place[]): Promise<CountedNames> {
  if (pairs.length === 0) return { rules: new Map(), providers: new Map() };
  const ruleIds = [...new Set(pairs.map(({ rule_id: id }) => id))];
  const providerIds = [...new Set(pairs.map(({ provider_id: id }) => id))];
  const rules = await db
    .selectFrom("rules")
    .select(["id", "name"])
    .where("org_id", "=", orgId)
    .where("id", "in", ruleIds)
    .execute();
  const providers = await db
    .selectFrom("idps")
    .select(["id", "name", "type"])
    .where("org_id", "=", orgId)
    .where("id", "in", providerIds)
    .execute();
  return {
    rules: new Map(rules.map(({ id, name }) => [id, { name }])),
    providers: new Map(providers.map(({ id, name, type }) => [id, { name, type }])),
  };
}
