import {
  type BigInteger,
  findBigInteger,
  findJsonSyntaxFault,
  formatJsonSyntaxFault,
  formatPlace,
  isBigInteger,
  type JsonTextLimits,
  locatePointer,
  parseJson,
  readJson,
} from "../json/index.js";
import type { ErrorCode, ErrorFacts } from "../errors/index.js";
import { optionError } from "../factory/index.js";
import { decodeUtf8 } from "../text/index.js";
import { findBodyExcess, findJsonBodyTextFault } from "./body-text.js";
import type { RequestFault } from "./request-head.js";

/** A program that makes a bigint of a text of digits takes long for many. */
const MAX_DIGITS = 1_000;

/** A response repeats so many characters of an integer. */
const MAX_SHOWN = 40;

/** What becomes of an integer that a double can't hold. */
export type BigIntegerPolicy = "string" | "bigint" | "refuse";

const POLICIES: ReadonlySet<unknown> = new Set<BigIntegerPolicy | undefined>(["string", "bigint", "refuse", undefined]);

/** What a JSON body may be. */
export interface JsonBodyRules {
  readonly limits: JsonTextLimits;
  /** How many bytes of UTF-8 a character may take. */
  readonly maxBytes: 3 | 4;
  /** Whether it must be an object or an array. */
  readonly strict: boolean;
  /** Without it, such an integer is rounded. */
  readonly bigint: BigIntegerPolicy | undefined;
}

/** Why a body is refused: the arguments of `apiError`. */
export type BodyFault = readonly [code: ErrorCode, facts: ErrorFacts];

/** The value of a body, or why it is refused. */
export type ParsedBody =
  | { readonly value: unknown; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: BodyFault };

/** Parse `bytes`, which are not empty. Nothing is parsed that exceeds the limits. */
export function parseJsonBody(bytes: Buffer, { limits, maxBytes, strict, bigint }: JsonBodyRules): ParsedBody {
  const fault = findBodyExcess(bytes, limits) ?? findJsonBodyTextFault(bytes, maxBytes);
  if (fault) return { fault };
  const text = decodeUtf8(bytes);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return { fault: refuseSyntax(bytes) };
  }
  if (strict && (typeof value !== "object" || value === null)) return { fault: refuseScalar(value) };
  if (bigint === undefined || findBigInteger(bytes) === undefined) return { value };
  const refused = findBigInteger(bytes, bigint === "refuse" ? undefined : MAX_DIGITS + 1);
  if (refused) return { fault: refuseInteger(bytes, refused, bigint, maxBytes) };
  const convert = bigint === "bigint" ? BigInt : String;
  return { value: readJson(text, (token) => (isBigInteger(token) ? convert(token) : Number(token))) };
}

/**
 * The place of the first integer in a body that a double can't hold, as a JSON Pointer for a log; empty for the body
 * itself. `undefined` when there is none.
 */
export function findRoundedInteger(bytes: Buffer): string | undefined {
  const found = findBigInteger(bytes);
  return found && formatPlace(locatePointer(bytes, found.offset));
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

/** The value is readable, so it is refused like any invalid one (rule E2). */
function refuseInteger(bytes: Buffer, found: BigInteger, policy: BigIntegerPolicy, maxBytes: 3 | 4): BodyFault {
  const { offset, end } = found;
  const pointer = locatePointer(bytes, offset);
  const place = formatPlace(pointer, maxBytes);
  const shown =
    bytes.toString("latin1", offset, Math.min(end, offset + MAX_SHOWN)) + (end > offset + MAX_SHOWN ? "…" : "");
  const message =
    policy === "refuse"
      ? `the integer ${shown} is beyond ±${Number.MAX_SAFE_INTEGER}, where numbers are not exact.`
      : `the integer ${shown} has more than ${MAX_DIGITS} digits.`;
  const cause = place === pointer ? { message, pointer } : `${place}: ${message}`;
  return ["E0000001", { type: "number.unsupported", detail: place || "body", causes: [cause] }];
}

/** The option `bigint`. */
export function bigIntegerOption(factory: string, value: BigIntegerPolicy | undefined): BigIntegerPolicy | undefined {
  if (POLICIES.has(value)) return value;
  throw optionError(factory, "bigint", '"string", "bigint" or "refuse"');
}
