export { memoryIdempotencyStore, type MemoryIdempotencyStoreOptions } from "./memory-store.js";
export { redisIdempotencyStore, type SendRedisCommand } from "./redis-store.js";
export {
  type SqlConnection,
  type SqlIdempotencyStore,
  sqlIdempotencyStore,
  type SqlIdempotencyStoreOptions,
} from "./sql-store.js";
export type { IdempotencyStore } from "./store.js";
