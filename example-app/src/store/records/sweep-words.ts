import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { createId } from "../../model/ids.js";
import type { OwnDatabase } from "../contract/transaction.js";
import { endLease, takeLease } from "./leases.js";

/** The words and the orgs of one statement: some milliseconds. */
export const SWEEP_SIZE = 500;

const DAY_MS = 86_400_000;

type Database = Pick<OwnDatabase, "reader" | "write">;

/**
 * Removes the words of users who are gone: a server without words deletes only their rows. Nobody finds anything by such words,
 * but they are personal data. One process on the database does it once a day, because its lease is for so long; what it does not
 * end, another one begins anew.
 */
export async function sweepWords(store: Database, isStopped: () => boolean): Promise<void> {
  const lease = { name: "user-words-sweep", holder: createId() };
  if (!(await store.write((transaction) => takeLease(transaction, lease, DAY_MS)))) return;
  let isDone = false;
  try {
    await sweepOrgs(store, isStopped);
    isDone = !isStopped();
  } finally {
    if (!isDone) await store.write((transaction) => endLease(transaction, lease));
  }
}

async function sweepOrgs(store: Database, isStopped: () => boolean): Promise<void> {
  for (let last = ""; ;) {
    const orgs = await store.reader
      .selectFrom("orgs")
      .select("id")
      .where("id", ">", last)
      .orderBy("id")
      .limit(SWEEP_SIZE)
      .execute();
    for (const { id } of orgs) {
      await removeLeftWords(store, id, isStopped);
      await setImmediate();
    }
    const end = orgs.at(-1);
    if (end === undefined || isStopped()) return;
    last = end.id;
  }
}

/** Remove the words of an org's users who are gone. */
export async function removeLeftWords(
  { reader, write }: Database,
  orgId: string,
  isStopped: () => boolean,
): Promise<void> {
  const isUsed = sql`exists (select 1 from users where users.org_id = ${orgId} and users.id = user_words.user_id)`;
  let after: readonly [word: string, userId: string] = ["", ""];
  while (!isStopped()) {
    const start = performance.now();
    const { rows } = await sql<{ word: string; user_id: string; is_used: number | boolean }>`
      select word, user_id, ${isUsed} as is_used from user_words
      where org_id = ${orgId} and (word, user_id) > (${sql.join(after)}) order by word, user_id limit ${SWEEP_SIZE}
    `.execute(reader);
    const gone = rows.filter((row) => !row.is_used).map((row) => sql`(${row.word}, ${row.user_id})`);
    if (gone.length > 0) {
      await write(({ db }) =>
        sql`
          delete from user_words
          where org_id = ${orgId} and (word, user_id) in (values ${sql.join(gone)}) and not ${isUsed}
        `.execute(db),
      );
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length < SWEEP_SIZE) return;
    after = [end.word, end.user_id];
    await sleep(performance.now() - start); // others get as much time
  }
}
