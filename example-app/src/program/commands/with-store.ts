import { openStore, type Store } from "../../store/store.js";
import type { Settings } from "../settings/settings.js";

/** Open the store for `work`, and close it. The store brings its schema up to date, unless the settings forbid it. */
export async function withStore<T>(
  { databaseUrl, listenUrl, dataFolder, quotas, migrate }: Settings,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore({ databaseUrl, listenUrl, dataFolder, quotas, migrate });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
