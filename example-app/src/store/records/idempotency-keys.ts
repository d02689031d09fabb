import type { IdempotencyStore } from "etiquette/idempotency";
import { sql } from "kysely";
import type { OwnDatabase, WriteTransaction } from "../contract/transaction.js";

/** In bytes: what the keys and responses of one org may take. Beyond it, those that were stored first are forgotten. */
const MAX_BYTES = 16_777_216;

/** In bytes: what a key counts at least. So an org has at most 4,096 keys, which a new key adds up. */
const MIN_SIZE = 4_096;

/** How many keys a new one removes at most: more than come in. */
const MAX_REMOVED = 10;

/** How often a key is tried again that was removed between two statements. */
const MAX_TRIES = 3;

/** Keeps the keys of one org in the database. */
export function createIdempotencyStore(store: Pick<OwnDatabase, "write">, orgId: string): IdempotencyStore {
  return {
    add: (key, value, lifetime) => store.write((transaction) => add(transaction, orgId, { key, value, lifetime })),
    set: (key, value, lifetime) =>
      store.write(async ({ db, now }) => {
        const row = { org_id: orgId, key, ...valuesOf(value, lifetime, now) };
        await db
          .insertInto("idempotency_keys")
          .values(row)
          .onConflict((conflict) => conflict.columns(["org_id", "key"]).doUpdateSet(valuesOf(value, lifetime, now)))
          .execute();
      }),
    delete: (key) =>
      store.write(async ({ db }) => {
        await db.deleteFrom("idempotency_keys").where("org_id", "=", orgId).where("key", "=", key).execute();
      }),
  };
}

/** Forget the keys and responses of an org. A request that comes again is carried out again. */
export async function forgetResponses({ db }: WriteTransaction, orgId: string): Promise<void> {
  await db.deleteFrom("idempotency_keys").where("org_id", "=", orgId).execute();
}

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly lifetime: number;
}

/** @returns the value of the key, when it had one */
async function add(
  { db, now }: WriteTransaction,
  orgId: string,
  { key, value, lifetime }: Entry,
): Promise<string | undefined> {
  await removeSome(db, orgId, now);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const values = valuesOf(value, lifetime, now);
    const kept = await db
      .insertInto("idempotency_keys")
      .values({ org_id: orgId, key, ...values })
      .onConflict((conflict) =>
        conflict.columns(["org_id", "key"]).doUpdateSet(values).where("idempotency_keys.expires", "<=", now),
      )
      .returning("key")
      .executeTakeFirst();
    if (kept) return undefined;
    const known = await db
      .selectFrom("idempotency_keys")
      .select("value")
      .where("org_id", "=", orgId)
      .where("key", "=", key)
      .executeTakeFirst();
    if (known) return known.value;
  }
  throw new Error(`the key was neither kept nor found, ${MAX_TRIES} times`);
}

/** Remove keys that have expired, and the oldest ones beyond {@link MAX_BYTES}; {@link MAX_REMOVED} at most. */
async function removeSome(db: WriteTransaction["db"], orgId: string, now: string): Promise<void> {
  await sql`
    delete from idempotency_keys where org_id = ${orgId} and key in (
      select key from (
        select key, expires, sum(size) over (order by expires desc, key) as total
        from idempotency_keys where org_id = ${orgId}
      ) as summed
      where expires <= ${now} or total > ${sql.lit(MAX_BYTES)}
      order by expires, key desc limit ${sql.lit(MAX_REMOVED)}
    )
  `.execute(db);
}

function valuesOf(value: string, lifetime: number, now: string) {
  const expires = new Date(Date.parse(now) + lifetime).toISOString();
  return { value, size: Math.max(value.length, MIN_SIZE), expires };
}
