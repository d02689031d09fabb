import type { WriteTransaction } from "../contract/transaction.js";

/** Work that one process at a time does, and who wants to do it. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
}

/**
 * Take a lease for `duration` milliseconds, or keep it for so long. A process that stops without an end of its lease lets the
 * others wait for so long.
 *
 * @returns whether the holder has it
 */
export async function takeLease({ db, now }: WriteTransaction, lease: Lease, duration: number): Promise<boolean> {
  const { name, holder } = lease;
  const expires = new Date(Date.parse(now) + duration).toISOString();
  const taken = await db
    .insertInto("leases")
    .values({ name, holder, expires })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder, expires })
        .where((leases) => leases.or([leases("leases.expires", "<=", now), leases("leases.holder", "=", holder)])),
    )
    .returning("name")
    .executeTakeFirst();
  return taken !== undefined;
}

/** Let others take it. */
export async function endLease({ db }: WriteTransaction, { name, holder }: Lease): Promise<void> {
  await db.deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
}
