import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { CONSOLE_CREATOR } from "../../model/console-tokens.js";
import type { ApiToken, ConsoleSession } from "../../model/records.js";
import { API_TOKENS, removeTokens } from "./api-tokens.js";
import type { ApiTokenRow, ConsoleSessionRow, Db } from "../contract/schema.js";
import type { WriteTransaction } from "../contract/transaction.js";

/*
 * What signs people in to the console: links that work once, and sessions. Both are random secrets, of which the database
 * keeps only a hash. A session is that of a token: it ends with the secret of the token that began it.
 */

/** The length of a secret in bytes. */
const SECRET_LENGTH = 32;

/** How long a link works, in milliseconds. */
const LINK_LIFETIME = 600_000;

/** How many sessions one token has at a time. */
const MAX_SESSIONS = 20;

/** How many tokens of links an org has at a time; each is for one session. */
const MAX_LINK_TOKENS = 100;

/** Expired tokens of links that one sign-in removes. */
const MAX_REMOVED = 100;

/** @returns the code of a new link to the console of an org */
export async function insertLink({ db, now }: WriteTransaction, orgId: string): Promise<string> {
  const { secret, hash } = createSecret();
  const expires = new Date(Date.parse(now) + LINK_LIFETIME).toISOString();
  await db.deleteFrom("console_links").where("org_id", "=", orgId).where("expires", "<=", now).execute();
  await db.insertInto("console_links").values({ org_id: orgId, hash, expires }).execute();
  return secret;
}

/** Whether there is a link with this code. */
export async function hasLink(db: Db, orgId: string, code: string): Promise<boolean> {
  const link = db.selectFrom("console_links").select("hash").where("org_id", "=", orgId);
  return (await link.where("hash", "=", hashSecret(code)).executeTakeFirst()) !== undefined;
}

/** Use up the link with this code. @returns whether it was usable */
export async function takeLink({ db, now }: WriteTransaction, orgId: string, code: string): Promise<boolean> {
  const taken = await db
    .deleteFrom("console_links")
    .where("org_id", "=", orgId)
    .where("hash", "=", hashSecret(code))
    .returning("expires")
    .executeTakeFirst();
  return taken !== undefined && taken.expires > now;
}

/**
 * Begin a session of a token. Sessions of the token that have ended are removed, and its oldest ones beyond
 * {@link MAX_SESSIONS}.
 *
 * @param tokenHash of the secret of the token that is used
 * @param endedBefore sessions that were not used since have ended
 * @returns the secret of the session
 */
export async function insertSession(
  { db, now }: WriteTransaction,
  orgId: string,
  { tokenId, tokenHash, endedBefore }: Readonly<{ tokenId: string; tokenHash: string; endedBefore: string }>,
): Promise<string> {
  const { secret, hash } = createSecret();
  const ofToken = sql`org_id = ${orgId} and token_id = ${tokenId}`;
  await sql`delete from console_sessions where ${ofToken} and last_used <= ${endedBefore}`.execute(db);
  await sql`
    delete from console_sessions where ${ofToken} and hash in (
      select hash from console_sessions where ${ofToken}
      order by last_used desc, hash limit 1000 offset ${sql.lit(MAX_SESSIONS - 1)}
    )
  `.execute(db);
  await db
    .insertInto("console_sessions")
    .values({ org_id: orgId, hash, token_id: tokenId, token_hash: tokenHash, created: now, last_used: now })
    .execute();
  return secret;
}

/** Find a session and its token, while the secret that began it is one of the token's. */
export async function findSession(db: Db, orgId: string, secret: string): Promise<ConsoleSession | undefined> {
  const { rows } = await sql<ApiTokenRow & { session_hash: string; used_hash: string; session_used: string }>`
    select token.*, session.hash as session_hash, session.token_hash as used_hash, session.last_used as session_used
    from console_sessions as session join api_tokens as token
      on token.org_id = session.org_id and token.id = session.token_id
      and (token.hash = session.token_hash or token.previous_hash = session.token_hash)
    where session.org_id = ${orgId} and session.hash = ${hashSecret(secret)}
  `.execute(db);
  const [row] = rows;
  return (
    row && {
      id: row.session_hash,
      token: API_TOKENS.toRecord(row),
      tokenHash: row.used_hash,
      lastUsed: row.session_used,
    }
  );
}

/** @param id of the session, its hash */
export async function removeSession({ db }: WriteTransaction, orgId: string, id: string): Promise<void> {
  await db.deleteFrom("console_sessions").where("org_id", "=", orgId).where("hash", "=", id).execute();
}

/** Note that a session was used at `at`, unless its recorded use is at `after` or later. */
export async function recordSessionUse(
  { db }: Pick<WriteTransaction, "db">,
  { orgId, id, at, after }: Readonly<{ orgId: string; id: string; at: string; after: string }>,
): Promise<void> {
  const update: Partial<ConsoleSessionRow> = { last_used: at };
  await db
    .updateTable("console_sessions")
    .set(update)
    .where("org_id", "=", orgId)
    .where("hash", "=", id)
    .where("last_used", "<", after)
    .execute();
}

/** The tokens of links that have not expired, beyond the newest {@link MAX_LINK_TOKENS}. Call `lockTokens` before. */
export async function findExcessConsoleTokens({ db, now }: WriteTransaction, orgId: string): Promise<ApiToken[]> {
  const { type, id } = CONSOLE_CREATOR;
  const { rows } = await sql<ApiTokenRow>`
    select * from api_tokens
    where org_id = ${orgId} and creator_type = ${type} and creator_id = ${id} and expires > ${now}
    order by created desc, id limit ${sql.lit(MAX_REMOVED)} offset ${sql.lit(MAX_LINK_TOKENS)}
  `.execute(db);
  return rows.map((row) => API_TOKENS.toRecord(row));
}

/** Remove tokens of links that have expired and made no other tokens. Call `lockTokens` before. */
export async function removeExpiredConsoleTokens(transaction: WriteTransaction, orgId: string): Promise<ApiToken[]> {
  const { type, id } = CONSOLE_CREATOR;
  const { rows } = await sql<Pick<ApiTokenRow, "id">>`
    select token.id from api_tokens as token
    where token.org_id = ${orgId} and token.creator_type = ${type} and token.creator_id = ${id}
      and token.expires <= ${transaction.now}
      and not exists (
        select 1 from api_tokens as made
        where made.org_id = token.org_id and made.creator_type = 'ApiToken' and made.creator_id = token.id
      )
    order by token.id limit ${sql.lit(MAX_REMOVED)}
  `.execute(transaction.db);
  return rows.length === 0
    ? []
    : removeTokens(
        transaction,
        orgId,
        rows.map((row) => row.id),
      );
}

function createSecret(): { secret: string; hash: string } {
  const secret = randomBytes(SECRET_LENGTH).toString("base64url");
  return { secret, hash: hashSecret(secret) };
}

function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
