import { sql } from "kysely";
import type { Dialect } from "../contract/dialect.js";
import { splitWords } from "../contract/rows.js";
import type { Db, DbTransaction, UserRow } from "../contract/schema.js";

/** Words that one statement writes. */
const MAX_ROWS = 500;

type Owned = Pick<UserRow, "id" | "words">;

type Written = Pick<UserRow, "org_id" | "id" | "words">;

interface Word {
  readonly word: string;
  readonly id: string;
}

/**
 * Make the table of words what the rows of users will be. Call it before these are written, in their transaction.
 *
 * @param rows of one org, at most a batch
 */
export async function writeWords(
  { db, dialect }: Readonly<{ db: DbTransaction; dialect: Pick<Dialect, "lockRows"> }>,
  rows: readonly Written[],
): Promise<void> {
  const [{ org_id: orgId } = { org_id: "" }] = rows;
  const ids = sql.join(rows.map(({ id }) => id));
  const { rows: stored } = await sql<Owned>`
    select id, words from users where org_id = ${orgId} and id in (${ids}) order by id ${dialect.lockRows}
  `.execute(db);
  const before = new Map(stored.map(({ id, words }) => [id, new Set(splitWords(words))]));
  const added = rows.flatMap(({ id, words }) => {
    return splitWords(words).flatMap((word) => (before.get(id)?.delete(word) === true ? [] : { word, id }));
  });
  const gone = [...before].flatMap(([id, words]) => [...words].map((word) => ({ word, id })));
  await deleteWords(db, orgId, gone);
  await insertWords(db, orgId, added);
}

/** {@link writeWords} of a user that is new. */
export async function addWords(db: DbTransaction, { org_id: orgId, id, words }: Written): Promise<void> {
  await insertWords(
    db,
    orgId,
    splitWords(words).map((word) => ({ word, id })),
  );
}

/** Remove the words of users, as their rows have them. */
export async function removeWords(db: DbTransaction, orgId: string, users: readonly Owned[]): Promise<void> {
  await deleteWords(
    db,
    orgId,
    users.flatMap(({ id, words }) => splitWords(words).map((word) => ({ word, id }))),
  );
}

/** The users of an org without words, or with those of an earlier revision. An older version of the server leaves them so. */
export async function lacksWords(db: Db, dialect: Pick<Dialect, "lacksWords">, orgId: string): Promise<boolean> {
  const { rows } = await sql`
    select id from users where org_id = ${orgId} and ${dialect.lacksWords} order by words_revision limit 1
  `.execute(db);
  return rows.length > 0;
}

async function insertWords(db: DbTransaction, orgId: string, words: readonly Word[]): Promise<void> {
  for (const part of partsOf(words)) {
    const rows = part.map(({ word, id }) => sql`(${orgId}, ${word}, ${id})`);
    await sql`
      insert into user_words (org_id, word, user_id) values ${sql.join(rows)} on conflict do nothing
    `.execute(db);
  }
}

async function deleteWords(db: DbTransaction, orgId: string, words: readonly Word[]): Promise<void> {
  for (const part of partsOf(words)) {
    const keys = part.map(({ word, id }) => sql`(${word}, ${id})`);
    await sql`
      delete from user_words where org_id = ${orgId} and (word, user_id) in (values ${sql.join(keys)})
    `.execute(db);
  }
}

function partsOf<T>(elements: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(elements.length / MAX_ROWS) }, (_, i) =>
    elements.slice(i * MAX_ROWS, (i + 1) * MAX_ROWS),
  );
}
