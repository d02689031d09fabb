import { excerpt } from "../text/index.js";
import { fieldLines } from "../http/index.js";
import { findTransferEncodingFault, type RequestFault, type RequestHead } from "./request-head.js";

/** Content-Length = 1*DIGIT, RFC 9110 section 8.6. Leading zeros are legal; lists, which the RFC tolerates, are refused. */
const CONTENT_LENGTH_REGEXP = /^\d+$/;

/**
 * Find what makes the end of an HTTP/1 request body uncertain (RFC 9112 section 6): two parsers of `head` could disagree
 * on where the next request begins. `undefined` when nothing does, or when there is no body.
 */
export function findFramingFault(head: RequestHead): RequestFault | undefined {
  const lengths = fieldLines(head.rawHeaders, "content-length");
  const [length] = lengths;
  if (length === undefined) return findTransferEncodingFault(head);

  if (fieldLines(head.rawHeaders, "transfer-encoding").length > 0) {
    return fault("Content-Length and Transfer-Encoding come together; send one of them.");
  }
  if (lengths.length > 1) {
    return fault(`Content-Length comes ${lengths.length} times: ${lengths.map(excerpt).join(", ")}; send one.`);
  }
  if (!CONTENT_LENGTH_REGEXP.test(length)) {
    return fault(`Content-Length is ${excerpt(length)}; send one decimal number.`);
  }
  return undefined;
}

/** The properties of a request that say whether it has a body. */
interface BodyHead {
  readonly httpVersionMajor: number;
  /** Present in HTTP/2 only. */
  readonly stream?: { readonly endAfterHeaders?: boolean };
}

/**
 * Whether a body follows. In HTTP/1 a field says so (RFC 9112 section 6); in HTTP/2, which needs no such field, the frame
 * of the header says so.
 *
 * @param headers `req.headers`, passed in because the getter takes time
 */
export function hasBody(req: object, headers: Readonly<Record<string, unknown>>): boolean {
  if (headers["transfer-encoding"] !== undefined) return true;
  const length = headers["content-length"];
  if (length !== undefined) return Number(length) > 0;
  const { httpVersionMajor, stream } = req as BodyHead;
  return httpVersionMajor > 1 && stream?.endAfterHeaders === false;
}

/** Whether other code has read or parsed the body before. */
export function isBodyRead(req: Readonly<{ body?: unknown; _body?: boolean; readableEnded: boolean }>): boolean {
  return req.body !== undefined || req._body === true || req.readableEnded;
}

function fault(cause: string): RequestFault {
  return ["E0009000", { type: "content-length.invalid", causes: [cause] }];
}
