import { openStore, type Store } from "../../store/store.js";
import type { Settings } from "../settings/settings.js";

/** Open the store for `work`, and close it. The store brings its schema up to date. */
export async function withStore<T>(
  { databaseUrl, listenUrl, dataFolder, quotas }: Settings,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore({ databaseUrl, listenUrl, dataFolder, quotas });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
