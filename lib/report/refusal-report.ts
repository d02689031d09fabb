import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request } from "express";
import type { ErrorCode, ErrorType } from "../errors/index.js";

/** A request that would have been refused, and passed. */
export interface RefusalReport<Req extends IncomingMessage = Request> {
  readonly req: Req;
  /** `undefined` for a request to upgrade, which has no response. */
  readonly res: ServerResponse | undefined;
  /** The factory: `"contentType"`. */
  readonly guard: string;
  /** The id of the rule in docs/reference/rules.md: `"S3"`. */
  readonly rule: string;
  /** The status that the response would have, 400–599. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Which check would refuse it: `"media-type.unsupported"`. */
  readonly type: ErrorType | undefined;
  /** What is wrong, in one line; it repeats at most 64 characters of each value. */
  readonly detail: string;
  /** The same, a sentence for each reason. */
  readonly causes: readonly string[];
  /** The option that would allow it: `"maxBytesPerCharacter: 4"`. */
  readonly option: string;
}
