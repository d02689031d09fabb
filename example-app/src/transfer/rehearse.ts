import type { Store } from "../store/store.js";
import type { WriteTransaction } from "../store/contract/transaction.js";

/** Find out what `work` would do: its transaction is rolled back. */
export async function rehearse<T>(
  store: Pick<Store, "write">,
  work: (transaction: WriteTransaction) => Promise<T>,
): Promise<T> {
  const rehearsed: { result?: { value: T } } = {};
  try {
    return await store.write(async (transaction) => {
      rehearsed.result = { value: await work(transaction) };
      throw new Error("This was a dry run");
    });
  } catch (error) {
    if (rehearsed.result) return rehearsed.result.value;
    throw error;
  }
}
