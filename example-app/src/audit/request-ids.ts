import { randomUUID } from "node:crypto";

/**
 * A new UUID of version 7 (RFC 9562 section 5.7). It begins with the time, so that the index of the System Log by request id
 * grows at its end; a random id changes a page somewhere in it, which is most of what an event costs once the log is long.
 */
export function createRequestId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
