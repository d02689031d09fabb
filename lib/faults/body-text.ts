import { excerpt, findEncodedTextFault, findTextFault, formatTextFault, type TextFault } from "../text/index.js";
import {
  findExcess,
  findForbiddenText,
  findJsonTextFault,
  formatPlace,
  type JsonTextLimits,
  locatePointer,
} from "../json/index.js";
import type { ErrorType } from "../errors/index.js";
import { parseMediaType } from "../http/index.js";
import { integerOption } from "../factory/index.js";
import type { RequestFault } from "./request-head.js";

/** The limit of Jackson, and of the JSON functions of SQLite. */
const DEFAULT_MAX_DEPTH = 1_000;

/** Before Node 26 `JSON.stringify`, and so `res.json`, overflows the stack at about 4,000. */
const HIGHEST_MAX_DEPTH = 2_000;

/** Only a body of digits and commas has so many within the default limit of `jsonBody()`. */
const MEMBERS = { fallback: 50_000, min: 1, max: 100_000_000 };

/** Matches only the start, because body parsers are lenient about parameters. */
const FORM_REGEXP = /^[ \t]*application\/x-www-form-urlencoded/i;

/** The spelling of HTTP, and that of Node. */
const UTF8_REGEXP = /^utf-?8$/i;

/** The `type` of an error for readable text with a character of four bytes or half of a surrogate pair. */
const UNSUPPORTED = "text.unsupported";

const BEYOND_THREE =
  "a character takes four bytes in UTF-8, or is half of a surrogate pair; characters of up to three are supported.";

/** How text is written in a body. `undefined`: decided by its `Content-Type`, and JSON escapes are checked. */
export type BodyFormat = "json" | "form" | "text" | undefined;

/** A fault and its place. */
export type TextFinding = readonly [place: string, fault: TextFault];

/**
 * Find out why a body of the type `contentType` can't be read as UTF-8 (rule S3).
 *
 * @param encoding the charset that a parser uses; without it `contentType` decides
 */
export function findCharsetFault(contentType: string, encoding?: string | null): RequestFault | undefined {
  const charset = encoding ?? parseMediaType(contentType)?.parameters.get("charset") ?? "utf-8";
  if (UTF8_REGEXP.test(charset)) return undefined;
  const cause = `The body is in the charset ${excerpt(charset)}; accepted is "utf-8".`;
  return ["E0000021", { type: "charset.unsupported", causes: [cause] }];
}

/**
 * Find text in `body` that is not UTF-8, or a character that takes too many bytes (rule S5), also when it is escaped.
 *
 * @param contentType the `Content-Type` of the request
 */
export function findBodyTextFault(
  body: Buffer,
  contentType: string,
  { format, maxBytes }: Readonly<{ format: BodyFormat; maxBytes: 3 | 4 }>,
): RequestFault | undefined {
  if (format === "form" || (format === undefined && FORM_REGEXP.test(contentType))) {
    const finding = findInParameters(body.toString("latin1"), "Field", maxBytes);
    if (finding) return refuseText(...finding);
  }
  if (format !== "form" && format !== "text") return findJsonBodyTextFault(body, maxBytes);
  const fault = findTextFault(body, maxBytes);
  return fault && refuseText("The body", fault);
}

/** {@link findBodyTextFault} for JSON. */
export function findJsonBodyTextFault(body: Buffer, maxBytes: 3 | 4): RequestFault | undefined {
  const fault = findJsonTextFault(body, maxBytes);
  return fault && refuseText(formatPlace(locatePointer(body, fault.offset), maxBytes) || "The body", fault);
}

/**
 * {@link findJsonBodyTextFault} for a body that was parsed before: it can't tell the place in the bytes.
 *
 * @param what completes "The …"
 */
export function findParsedTextFault(body: unknown, what: string, maxBytes: 3 | 4): RequestFault | undefined {
  const pointer = findForbiddenText(body, { maxBytesPerCharacter: maxBytes });
  if (pointer === undefined) return undefined;
  const place = formatPlace(pointer, maxBytes) || `The ${what}`;
  const cause = maxBytes === 4 ? "there is half of a surrogate pair, which is no character." : BEYOND_THREE;
  return ["E0000001", { type: UNSUPPORTED, detail: place, causes: [`${place}: ${cause}`] }];
}

/** Find where the JSON in `body` is nested too deep, or has too many members and elements. */
export function findBodyExcess(body: Buffer, limits: JsonTextLimits): RequestFault | undefined {
  const excess = findExcess(body, limits);
  if (excess === undefined) return undefined;
  const { limit, offset } = excess;
  const most = limits[limit];
  if (limit === "depth") {
    const cause = `The body: the bracket at byte ${offset} opens level ${most + 1}; ${most} are supported.`;
    return ["E0000003", { type: "body.too-deep", causes: [cause] }];
  }
  const cause = `The body has more than ${most} members and elements; the next one is at byte ${offset}.`;
  return ["E0000003", { type: "body.too-many", causes: [cause] }];
}

/** @param text `name=value` pairs with `&` between them; one character is one byte */
export function findInParameters(text: string, kind: string, maxBytes: 3 | 4): TextFinding | undefined {
  const fault = findEncodedTextFault(text, maxBytes);
  if (fault === undefined) return undefined;
  const start = text.lastIndexOf("&", fault.offset) + 1;
  const [name = ""] = text.slice(start).split(/[=&]/, 1);
  const readable = findEncodedTextFault(name, maxBytes) ? name : decodeURIComponent(name);
  return [`${kind} ${excerpt(readable)}`, fault];
}

/** The `type` of the error for a fault in text. */
export function typeOfTextFault({ reason }: TextFault): ErrorType {
  return reason === "fourByte" || reason === "surrogate" ? UNSUPPORTED : "text.malformed";
}

/** The option `maxDepth`: how many levels of arrays and objects JSON may have. */
export function maxDepthOption(factory: string, value: unknown): number {
  return integerOption(factory, "maxDepth", value, { fallback: DEFAULT_MAX_DEPTH, min: 1, max: HIGHEST_MAX_DEPTH });
}

/** The options `maxDepth` and `maxMembers`: how many members of objects and elements of arrays JSON may have. */
export function jsonLimitsOptions(
  factory: string,
  { maxDepth, maxMembers }: Readonly<{ maxDepth?: unknown; maxMembers?: unknown }>,
): JsonTextLimits {
  return {
    depth: maxDepthOption(factory, maxDepth),
    members: integerOption(factory, "maxMembers", maxMembers, MEMBERS),
  };
}

/** Readable text is refused like any invalid value (rule E2), other text as an unreadable body. */
function refuseText(place: string, fault: TextFault): RequestFault {
  const type = typeOfTextFault(fault);
  const causes = [formatTextFault(place, fault)];
  return type === UNSUPPORTED ? ["E0000001", { type, detail: place, causes }] : ["E0000003", { type, causes }];
}
