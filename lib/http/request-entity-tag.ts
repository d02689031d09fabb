import type { PreconditionOutcome } from "./preconditions.js";

/** The object in the store; nothing when there is none. */
export type Stored = object | null | undefined;

/** The result of `write` when it wrote nothing. */
export type Nothing = false | null | undefined;

/** The preconditions of one request, and the tags for its response. */
export interface RequestEntityTag {
  /**
   * Evaluate the preconditions for the current object (RFC 9110 section 13.2.2). `"proceed"` when there are none.
   * `"not-modified"` only for GET, HEAD and QUERY.
   */
  evaluate(current: Stored): PreconditionOutcome;

  /** Whether the request may proceed. For a store that compares and writes in one step. */
  matches(current: Stored): boolean;

  /**
   * Throw unless the request may proceed. Two concurrent writers may both pass, unless the store compares when it writes.
   *
   * @throws {Error} 412 `E0000231` when the preconditions failed
   */
  assert(current: Stored): void;

  /**
   * Read, check the preconditions, write. Repeat when `write` finds that the object has changed since it was read, as long
   * as the preconditions hold. Of several writers with the same tag, exactly one succeeds.
   *
   * @param read gets the object. Throw a 404 here when the object must exist
   * @param write writes only if the store still has what was read (`UPDATE … WHERE id = ? AND version = ?`) and returns
   *   what it wrote; `undefined`, `null` or `false` when the store had something else
   * @returns the result of `write`
   * @throws {Error} 412 `E0000231` when the preconditions failed, 409 `E0000195` when others changed the object 100 times
   */
  compareAndSet<T extends Stored, W>(
    read: () => T | Promise<T>,
    write: (current: T) => W | Nothing | Promise<W | Nothing>,
  ): Promise<W>;

  /** The entity tag of `entity`. */
  format(entity: object): string;

  /** Put `ETag` on the response, and `Cache-Control: private, no-cache` unless there is a `Cache-Control`. */
  set(entity: object): void;

  /**
   * Send `entity` with its tag: 304 when the client has it already, otherwise `res.json(body)` with the status that was
   * set.
   *
   * @param body what the client may see of `entity`; `entity` itself by default
   * @throws {Error} 412 `E0000231` for a GET, HEAD or QUERY whose `If-Match` failed
   */
  send(entity: object, body?: unknown): void;
}
