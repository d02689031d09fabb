import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Logger } from "pino";
import { bytesOf } from "../contract/columns.js";
import { fromUser, toUser } from "../contract/rows.js";
import { createId } from "../../model/ids.js";
import { isUnavailable } from "../contract/errors.js";
import type { UserRow } from "../contract/schema.js";
import type { OwnDatabase, WriteTransaction } from "../contract/transaction.js";
import { BATCH_BYTES, BATCH_SIZE, divideBySize } from "./batches.js";
import { endLease, takeLease } from "./leases.js";
import { sweepWords } from "./sweep-words.js";
import { writeWords } from "./user-words.js";

/*
 * Users whom an older version of the server wrote have no words, or those of an earlier revision. They get theirs some time
 * later. An index has these users, so a look costs nothing when there are none, and an older version may begin to write again.
 */

/** Between two looks, in milliseconds. Until then such a user is found by the beginning of a name only. */
const INTERVAL_MS = 10_000;

/** Before the first look, when the start has other things to do. */
const FIRST_MS = 1_000;

/** Between two tries to sweep, in milliseconds. */
const SWEEP_INTERVAL_MS = 3_600_000;

/** How long the lease is for, in milliseconds; it is taken again before each batch. */
const LEASE_MS = 60_000;

export interface WordFillingOptions {
  readonly store: Pick<OwnDatabase, "reader" | "dialect" | "write">;
  readonly log: Pick<Logger, "warn">;
}

export interface WordFilling {
  /** Fills until nothing is left. Of several processes on one database one does it at a time. */
  readonly look: () => Promise<void>;
  /** Waits for the batch that runs. */
  readonly close: () => Promise<void>;
}

/** Gives words to the users who lack them, regularly until closed. */
export function fillWords({ store, log }: WordFillingOptions): WordFilling {
  const lease = { name: "user-words", holder: createId() };
  let isClosed = false;
  let running: Promise<void> | undefined;
  let nextSweep = 0;
  let timer = setTimeout(begin, FIRST_MS).unref();

  return {
    look,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };

  function begin(): void {
    running = look()
      .then(sweep)
      .catch((error: unknown) => {
        if (!isUnavailable(error)) log.warn({ err: error }, "the words of users could not be written");
      })
      .finally(() => {
        if (!isClosed) timer = setTimeout(begin, INTERVAL_MS).unref();
      });
  }

  async function sweep(): Promise<void> {
    if (performance.now() < nextSweep) return;
    nextSweep = performance.now() + SWEEP_INTERVAL_MS;
    await sweepWords(store, () => isClosed);
  }

  async function look(): Promise<void> {
    let isHeld = false;
    try {
      for (;;) {
        const batch = await listLacking(store);
        if (batch.length === 0 || isClosed) return;
        isHeld = await store.write((transaction) => takeLease(transaction, lease, LEASE_MS));
        const start = performance.now();
        if (!isHeld || (await fillBatch(store, batch)) === 0) return;
        await sleep(performance.now() - start); // others get as much time
      }
    } finally {
      if (isHeld) await store.write((transaction) => endLease(transaction, lease));
    }
  }
}

type Place = Pick<UserRow, "org_id" | "id"> & { readonly size: number };

async function listLacking({ reader, dialect }: Pick<OwnDatabase, "reader" | "dialect">): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select org_id, id, ${bytesOf("users")} as size from users where ${dialect.lacksWords}
    order by org_id, words_revision, id limit ${BATCH_SIZE}
  `.execute(reader);
  return rows;
}

/** @returns how many users have words now */
async function fillBatch({ write }: Pick<OwnDatabase, "write">, batch: readonly Place[]): Promise<number> {
  let count = 0;
  for (const orgId of new Set(batch.map((place) => place.org_id))) {
    const own = batch.filter((place) => place.org_id === orgId);
    for (const part of divideBySize(own, BATCH_BYTES)) {
      count += await write((transaction) => fillPart(transaction, orgId, part));
      await setImmediate();
    }
  }
  return count;
}

/** Leaves out users whom somebody else changes now: it may be an import, which takes long. */
async function fillPart({ db, dialect }: WriteTransaction, orgId: string, users: readonly Place[]): Promise<number> {
  const ids = sql.join(users.map(({ id }) => id));
  const { rows } = await sql<UserRow>`
    select * from users where org_id = ${orgId} and id in (${ids}) and ${dialect.lacksWords}
    ${dialect.lockRows} ${dialect.skipLocked}
  `.execute(db);
  if (rows.length === 0) return 0;
  const filled = rows.map((row) => fromUser(orgId, toUser(row), row.revision));
  await setImmediate();
  await writeWords({ db, dialect }, filled);
  const values = sql.join(
    filled.map(({ id, words }) => sql`when id = ${id} then ${words}`),
    sql` `,
  );
  await sql`
    update users set words = case ${values} end, words_revision = revision
    where org_id = ${orgId} and id in (${sql.join(filled.map(({ id }) => id))})
  `.execute(db);
  return rows.length;
}
