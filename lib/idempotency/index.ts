export { captureResponse, replayResponse } from "./capture.js";
export { type Entry, formatEntry, parseEntry } from "./entry.js";
export { parseIdempotencyKey } from "./key.js";
export {
  memoryIdempotencyStore,
  type MemoryIdempotencyStoreOptions,
  redisIdempotencyStore,
  type SendRedisCommand,
  type SqlConnection,
  type SqlIdempotencyStore,
  sqlIdempotencyStore,
  type SqlIdempotencyStoreOptions,
} from "./idempotency-stores.js";
export { findKeyFault, interrupted, mismatch, notKept, underWay } from "./refusals.js";
export { storeOption } from "./store-option.js";
export type { IdempotencyStore } from "./store.js";
