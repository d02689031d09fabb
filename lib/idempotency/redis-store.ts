import type { IdempotencyStore } from "./store.js";

/** Sends a command with its arguments, and resolves with the reply: a text or bytes, or `null` where there is none. */
export type SendRedisCommand = (command: string[]) => Promise<unknown>;

/** How often a key is asked for again that expired between two commands. */
const MAX_TRIES = 3;

/**
 * An {@link IdempotencyStore} in Redis, Valkey, or what speaks their protocol. It works with every client that can send any
 * command. Keys expire by themselves; their names begin with `prefix`.
 *
 * @throws {TypeError} when `send` is not a function, or `prefix` not a string
 * @example
 * const store = redisIdempotencyStore((command) => client.sendCommand(command)); // node-redis
 * @example
 * const store = redisIdempotencyStore(([name = "", ...args]) => client.call(name, ...args)); // ioredis
 */
export function redisIdempotencyStore(send: SendRedisCommand, prefix = "idempotency:"): IdempotencyStore {
  if (typeof send !== "function") throw new TypeError("redisIdempotencyStore: `send` must be a function");
  if (typeof prefix !== "string") throw new TypeError("redisIdempotencyStore: `prefix` must be a string");

  return {
    async add(key, value, lifetime) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const reply = await send(["SET", prefix + key, value, "NX", "PX", String(lifetime)]);
        if (reply !== null && reply !== undefined) return undefined;
        const known = await send(["GET", prefix + key]);
        if (typeof known === "string" || known instanceof Uint8Array) return Buffer.from(known as string).toString();
      }
      throw new Error(`redisIdempotencyStore: the key was neither kept nor found, ${MAX_TRIES} times`);
    },
    async set(key, value, lifetime) {
      await send(["SET", prefix + key, value, "PX", String(lifetime)]);
    },
    async delete(key) {
      await send(["DEL", prefix + key]);
    },
  };
}
