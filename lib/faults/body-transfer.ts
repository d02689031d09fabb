import type { IncomingHttpHeaders } from "node:http";
import { CONTENT_CODINGS } from "../http/index.js";
import { excerpt } from "../text/index.js";
import type { RequestFault } from "./request-head.js";

/** What is wrong with a body before its content is looked at: its coding, its length, its end. */

export const UNDECODABLE: RequestFault = [
  "E0000003",
  { type: "encoding.malformed", causes: ["The body is not what its Content-Encoding says."] },
];

export const ABORTED: RequestFault = [
  "E0000003",
  { type: "request.aborted", causes: ["The connection ended before the body was complete."] },
];

/**
 * @param coding of the field `Content-Encoding`
 * @param isKnown whether there is a decoder for it
 */
export function findCodingFault(coding: string, isKnown: boolean, inflate: boolean): RequestFault | undefined {
  if (coding.toLowerCase() === "identity" || (inflate && isKnown)) return undefined;
  const accepted = inflate ? CONTENT_CODINGS : "identity";
  const causes = [`Content-Encoding is ${excerpt(coding)}; accepted: ${accepted}.`];
  // RFC 9110 section 15.5.16
  return ["E0000021", { type: "encoding.unsupported", causes, headers: { "Accept-Encoding": accepted } }];
}

/** Find a length of more than `limit` bytes, before the body comes. */
export function findLengthFault(
  { "content-length": length }: IncomingHttpHeaders,
  limit: number,
): RequestFault | undefined {
  return Number(length) > limit ? refuseSize(`Content-Length is ${length}`, limit) : undefined;
}

/** The same when `received` bytes have come. */
export function findSizeFault(headers: IncomingHttpHeaders, received: number, limit: number): RequestFault | undefined {
  if (received > limit) return refuseSize("The body is longer", limit);
  const length = headers["content-length"];
  if (length === undefined || received === Number(length)) return undefined;
  const causes = [`The body has ${received} bytes, its Content-Length is ${excerpt(length)}.`];
  return ["E0000003", { type: "request.size.invalid", causes }];
}

export function refuseSize(what: string, limit: number): RequestFault {
  return ["E0009003", { type: "entity.too.large", causes: [`${what}; the limit is ${limit} bytes.`] }];
}
