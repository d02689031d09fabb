import { setImmediate } from "node:timers/promises";
import type { Profile } from "../../discovery/conditions.js";

/** Reads attributes of the users with these logins, by their login in lower case. */
export type ReadProfiles = (
  logins: readonly string[],
  names: readonly string[],
) => Promise<ReadonlyMap<string, Profile>>;

/** Profiles that one statement reads: at most a mebibyte. */
const BATCH_SIZE = 16;

interface Waiting {
  readonly login: string;
  readonly resolve: (profile: Profile | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Finds profiles, several with one statement: those that are asked for in the same turn of the event loop. */
export function createProfileFinder(read: ReadProfiles) {
  const waiting = new Map<string, Waiting[]>(); // by the names of attributes

  return function findProfile(login: string, names: readonly string[]): Promise<Profile | undefined> {
    return new Promise((resolve, reject) => {
      const key = JSON.stringify(names);
      const queue = waiting.get(key) ?? [];
      queue.push({ login, resolve, reject });
      if (queue.length > 1) return;
      waiting.set(key, queue);
      void setImmediate().then(() => {
        waiting.delete(key);
        return readAll(queue, names);
      });
    });
  };

  async function readAll(queue: readonly Waiting[], names: readonly string[]): Promise<void> {
    for (let start = 0; start < queue.length; start += BATCH_SIZE) {
      const batch = queue.slice(start, start + BATCH_SIZE);
      try {
        const found = await read(
          batch.map(({ login }) => login),
          names,
        );
        for (const { login, resolve } of batch) resolve(found.get(login.toLowerCase()));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      await setImmediate();
    }
  }
}
