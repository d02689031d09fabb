/**
 * - `malformed`: the patch is not valid
 * - `count`: the patch has too many operations
 * - `steps`: the patch takes too many steps
 * - `path`: the document has nothing at a path
 * - `test`: an operation `test` failed
 */
export type PatchFaultReason = "malformed" | "count" | "steps" | "path" | "test";

/**
 * A patch can't be read or applied. `message` is for its sender.
 *
 * @example
 * if (error instanceof PatchError && error.reason === "test") res.status(409);
 */
export class PatchError extends Error {
  override readonly name = "PatchError";

  constructor(
    readonly reason: PatchFaultReason,
    message: string,
    /** Index of the faulty operation of a JSON Patch. */
    readonly operation?: number,
  ) {
    super(message);
  }
}
