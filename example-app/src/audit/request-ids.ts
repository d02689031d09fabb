import { randomUUID } from "node:crypto";

/**
 * A new UUID of version 7 (RFC 9562 section 5.7). It begins with the time, so the System Log's index by request id
 * grows at its end. A random id would change a page anywhere in the index, which is most of the cost of an event in a
 * long log.
 */
export function createRequestId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
