import { assertKnownOptions, functionOption, integerOption } from "../factory/index.js";
import type { IdempotencyStore } from "./store.js";

export interface MemoryIdempotencyStoreOptions {
  /**
   * How many bytes the keys and responses of one principal may take, 1,024–1,073,741,824. Beyond it, those that this
   * principal stored first are forgotten.
   *
   * @default 1048576, 1 MB
   */
  maxBytesPerPrincipal?: number;

  /**
   * How many bytes those of all principals may take, in the same bounds. Beyond it, those stored first are forgotten.
   *
   * @default 67108864, 64 MB
   */
  maxBytes?: number;

  /**
   * The current time, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: () => number;
}

const OPTIONS: Record<keyof MemoryIdempotencyStoreOptions, true> = {
  maxBytesPerPrincipal: true,
  maxBytes: true,
  now: true,
};

const BOUNDS = { min: 1_024, max: 1_073_741_824 };

/** In bytes: what a kept text takes beside its characters. */
const OVERHEAD = 200;

interface Kept {
  readonly principal: string;
  readonly value: string;
  /** In milliseconds since 1970. */
  readonly expires: number;
  /** In bytes. */
  readonly size: number;
}

/** What one principal stored: its keys, first the one stored first. */
interface Shelf {
  readonly keys: Set<string>;
  bytes: number;
}

/**
 * An {@link IdempotencyStore} in the memory of this process: for an API that is one process, and for tests. It is bounded,
 * and a restart forgets it.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 * @example
 * const store = memoryIdempotencyStore({ maxBytes: 16_777_216 });
 */
export function memoryIdempotencyStore(options: Readonly<MemoryIdempotencyStoreOptions> = {}): IdempotencyStore {
  const { maxBytesPerPrincipal, maxBytes, now } = parseOptions(options);
  const entries = new Map<string, Kept>(); // first the one stored first
  const shelves = new Map<string, Shelf>();
  let bytes = 0;

  return {
    add: (key, value, lifetime) => {
      const known = entries.get(key);
      if (known !== undefined && known.expires > now()) return Promise.resolve(known.value);
      put(key, value, lifetime);
      return Promise.resolve(undefined);
    },
    set: (key, value, lifetime) => {
      put(key, value, lifetime);
      return Promise.resolve();
    },
    delete: (key) => {
      remove(key);
      return Promise.resolve();
    },
  };

  function put(key: string, value: string, lifetime: number): void {
    remove(key);
    const principal = key.slice(0, key.indexOf("."));
    const shelf = shelves.get(principal) ?? { keys: new Set(), bytes: 0 };
    const size = key.length + value.length + OVERHEAD;
    entries.set(key, { principal, value, expires: now() + lifetime, size });
    shelves.set(principal, shelf);
    shelf.keys.add(key);
    shelf.bytes += size;
    bytes += size;
    removeExpired(2); // more than come in
    while (shelf.bytes > maxBytesPerPrincipal) remove(first(shelf.keys));
    while (bytes > maxBytes) remove(first(entries));
  }

  function remove(key: string | undefined): void {
    const entry = key === undefined ? undefined : entries.get(key);
    if (key === undefined || entry === undefined) return;
    entries.delete(key);
    bytes -= entry.size;
    const shelf = shelves.get(entry.principal);
    if (shelf === undefined) return;
    shelf.keys.delete(key);
    shelf.bytes -= entry.size;
    if (shelf.keys.size === 0) shelves.delete(entry.principal);
  }

  function removeExpired(atMost: number): void {
    for (let count = 0; count < atMost; count++) {
      const key = first(entries);
      const entry = key === undefined ? undefined : entries.get(key);
      if (entry === undefined || entry.expires > now()) return;
      remove(key);
    }
  }
}

function first(collection: { keys(): Iterable<string> }): string | undefined {
  for (const key of collection.keys()) return key;
  return undefined;
}

function parseOptions(options: Readonly<MemoryIdempotencyStoreOptions>): Required<MemoryIdempotencyStoreOptions> {
  const name = "memoryIdempotencyStore";
  assertKnownOptions(name, options, OPTIONS, `idempotency({ store: ${name}() })`);
  const { maxBytesPerPrincipal, maxBytes } = options;
  return {
    maxBytesPerPrincipal: integerOption(name, "maxBytesPerPrincipal", maxBytesPerPrincipal, {
      fallback: 1_048_576,
      ...BOUNDS,
    }),
    maxBytes: integerOption(name, "maxBytes", maxBytes, { fallback: 67_108_864, ...BOUNDS }),
    now: functionOption(name, "now", options.now, Date.now),
  };
}
