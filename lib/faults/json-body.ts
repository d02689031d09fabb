import { findJsonSyntaxFault, formatJsonSyntaxFault, type JsonTextLimits, parseJson } from "../json/index.js";
import { decodeUtf8 } from "../text/index.js";
import { findBodyExcess, findJsonBodyTextFault } from "./body-text.js";
import type { RequestFault } from "./request-head.js";

/** What a JSON body may be. */
export interface JsonBodyRules {
  readonly limits: JsonTextLimits;
  /** How many bytes of UTF-8 a character may take. */
  readonly maxBytes: 3 | 4;
  /** Whether it must be an object or an array. */
  readonly strict: boolean;
}

/** The value of a body, or why it is refused. */
export type ParsedBody =
  | { readonly value: unknown; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: RequestFault };

/** Parse `bytes`, which are not empty. Nothing is parsed that exceeds the limits. */
export function parseJsonBody(bytes: Buffer, { limits, maxBytes, strict }: JsonBodyRules): ParsedBody {
  const fault = findBodyExcess(bytes, limits) ?? findJsonBodyTextFault(bytes, maxBytes);
  if (fault) return { fault };
  let value: unknown;
  try {
    value = parseJson(decodeUtf8(bytes));
  } catch {
    return { fault: refuseSyntax(bytes) };
  }
  return strict && (typeof value !== "object" || value === null) ? { fault: refuseScalar(value) } : { value };
}

function refuseSyntax(bytes: Buffer): RequestFault {
  const fault = findJsonSyntaxFault(bytes);
  const causes = fault ? [formatJsonSyntaxFault(bytes, fault)] : [];
  return ["E0000003", { type: "entity.parse.failed", causes }];
}

/** A scalar is legal JSON (RFC 8259 section 2), but handlers expect an object or an array. */
function refuseScalar(value: unknown): RequestFault {
  const found = value === null ? "null" : `a ${typeof value}`;
  const causes = [`The body is ${found}; send an object or an array.`];
  return ["E0000003", { type: "body.scalar", causes }];
}
