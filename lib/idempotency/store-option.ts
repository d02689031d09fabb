import { optionError } from "../factory/index.js";
import { memoryIdempotencyStore } from "./memory-store.js";
import type { IdempotencyStore } from "./store.js";

/** Checks the option `store` of `factory`, and makes it a function of the request. */
export function storeOption<R>(
  factory: string,
  store: IdempotencyStore | ((req: R) => IdempotencyStore) = memoryIdempotencyStore(),
): (req: R) => IdempotencyStore {
  if (isStore(store)) return () => store;
  if (typeof store !== "function")
    throw optionError(factory, "store", "an object with `add`, `set` and `delete`, or a function that returns one");
  return (req) => {
    const found = store(req);
    if (!isStore(found))
      throw new TypeError(`${factory}: \`store\` must return an object with \`add\`, \`set\` and \`delete\``);
    return found;
  };
}

function isStore(value: unknown): value is IdempotencyStore {
  const { add, set, delete: remove } = (value ?? {}) as Partial<IdempotencyStore>;
  return [add, set, remove].every((method) => typeof method === "function");
}
