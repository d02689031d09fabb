import { sql } from "kysely";
import { batchesOf } from "./batches.js";
import { lockOrg } from "./orgs.js";
import type { ApiTokenRow, Db } from "../contract/schema.js";
import type { WriteTransaction } from "../contract/transaction.js";

/*
 * The tokens of an org make trees: a token is below the one that made it.
 */

/**
 * Wait for other changes of the org's tokens to end, then block them until the transaction ends. Without it, a token
 * could make another one while it is revoked.
 */
export async function lockTokens(transaction: WriteTransaction, orgId: string): Promise<void> {
  await lockOrg(transaction, orgId);
}

/** The tokens with these ids, then all that are below them. */
export async function withDescendants(db: Db, orgId: string, ids: readonly string[]): Promise<ApiTokenRow[]> {
  const found = new Map<string, ApiTokenRow>();
  for (const batch of batchesOf(ids)) {
    const { rows } = await sql<ApiTokenRow>`
      with recursive family as (
        select * from api_tokens where org_id = ${orgId} and id in (${sql.join(batch)})
        union
        select child.* from family join api_tokens as child
          on child.org_id = ${orgId} and child.creator_type = 'ApiToken' and child.creator_id = family.id
      ) select * from family
    `.execute(db);
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()];
}

/** The ids of a token and of those above it. */
export async function withAncestors(db: Db, orgId: string, id: string): Promise<Set<string>> {
  const { rows } = await sql<Pick<ApiTokenRow, "id">>`
    with recursive line as (
      select id, creator_type, creator_id from api_tokens where org_id = ${orgId} and id = ${id}
      union
      select parent.id, parent.creator_type, parent.creator_id from line join api_tokens as parent
        on parent.org_id = ${orgId} and parent.id = line.creator_id and line.creator_type = 'ApiToken'
    ) select id from line
  `.execute(db);
  return new Set(rows.map((row) => row.id));
}

/** Which tokens to find; all conditions must hold. */
export interface TokenCriteria {
  /** The token below which to look. */
  readonly below?: string | undefined;
  /** The id of what made them: a token, or the subject of access tokens. */
  readonly createdBy?: string | undefined;
  readonly createdBefore?: string | undefined;
  /** Neither used nor created since. */
  readonly unusedSince?: string | undefined;
  /** None of these scopes is theirs. */
  readonly withoutScopes: readonly string[];
}

/** The ids of the tokens that meet the criteria. */
export async function findTokenIds(
  { db, dialect }: Pick<WriteTransaction, "db" | "dialect">,
  orgId: string,
  { below, createdBy, createdBefore, unusedSince, withoutScopes }: TokenCriteria,
): Promise<string[]> {
  const conditions = [
    sql`org_id = ${orgId}`,
    ...withoutScopes.map((scope) => sql`not ${dialect.contains(sql`scopes`, JSON.stringify(scope))}`),
  ];
  if (createdBy !== undefined) conditions.push(sql`creator_id = ${createdBy}`);
  if (createdBefore !== undefined) conditions.push(sql`created < ${createdBefore}`);
  if (unusedSince !== undefined) {
    conditions.push(sql`created < ${unusedSince} and (last_used is null or last_used < ${unusedSince})`);
  }
  const { rows } = await sql<Pick<ApiTokenRow, "id">>`
    select id from api_tokens where ${sql.join(conditions, sql` and `)} order by id
  `.execute(db);
  const ids = rows.map(({ id }) => id);
  if (below === undefined) return ids;

  const family = new Set((await withDescendants(db, orgId, [below])).map(({ id }) => id));
  return ids.filter((id) => id !== below && family.has(id));
}
