import { excerpt } from "../text/index.js";
import type { RequestFault } from "../checks/index.js";

/** What Node's HTTP parser puts on its errors; of an error from elsewhere nothing but `code`. */
export interface ParserError {
  /** `HPE_INVALID_METHOD`, or one of Node's own such as `ERR_HTTP_REQUEST_TIMEOUT`. */
  readonly code?: unknown;
  /** The parser's own words. */
  readonly reason?: unknown;
  /** The offset in `rawPacket` where it stopped. */
  readonly bytesParsed?: unknown;
  /** What was read last from the connection; it may begin and end anywhere in a request. */
  readonly rawPacket?: unknown;
}

/** The limits of a server, for the causes. */
export interface ParserLimits {
  /** In bytes. */
  readonly maxHeaderSize: number;
  /** In milliseconds. */
  readonly headersTimeout: number;
  /** In milliseconds. */
  readonly requestTimeout: number;
}

/** The line where the parser stopped, as far as it is in the packet; one character a byte. */
interface Place {
  readonly before: string;
  /** Begins with the byte that the parser did not take; empty at the end of the line. */
  readonly after: string;
  /** Whether the line is known to begin where `before` does. */
  readonly fromStart: boolean;
}

const LF = 0x0a;

/** A request line that is well-formed (RFC 9112 section 3). */
const REQUEST_LINE_REGEXP = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [\x21-\x7e]+ HTTP\/1\.[01]$/;

/** How the record begins that holds a TLS handshake (RFC 8446 section 5.1). */
const TLS_HANDSHAKE = "\x16\x03";

/** How much of the line is read on either side of the place. */
const MAX_LINE_LENGTH = 1_024;

/**
 * Tell what is wrong with a request that Node's parser refused (`clientError`): names the field, the byte or the value
 * when the last packet shows it, else the kind of mistake. Never throws.
 */
export function classifyParserError(error: ParserError, limits: ParserLimits): RequestFault {
  switch (error.code) {
    case "ERR_HTTP_REQUEST_TIMEOUT": {
      const { headersTimeout, requestTimeout } = limits;
      const cause = `The header must arrive within ${headersTimeout} ms, the whole request within ${requestTimeout} ms.`;
      return ["E0009001", { type: "request.timeout", causes: [cause] }];
    }
    case "HPE_HEADER_OVERFLOW": {
      const cause = `The request line and the header have more than ${limits.maxHeaderSize} bytes.`;
      return ["E0009009", { type: "header.too-large", causes: [cause] }];
    }
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return ["E0009003", { type: "body.too-large", causes: ["The chunk extensions are too long."] }];
    case "HPE_PAUSED_H2_UPGRADE": // the connection preface of HTTP/2
      return ["E0009012", { type: "version.unsupported" }];
    case "HPE_INVALID_VERSION":
      if (error.reason === "Invalid HTTP version") return ["E0009012", { type: "version.unsupported" }];
      break;
    case "HPE_INVALID_METHOD": {
      const { before, after } = placeOf(error);
      if (REQUEST_LINE_REGEXP.test(before + after)) return ["E0009010", { type: "method.unsupported" }];
      break;
    }
  }
  return ["E0009000", { type: "request.unparsable", causes: [describe(error)] }];
}

function describe(error: ParserError): string {
  const { code, reason } = error;
  if (typeof reason === "string" && reason.includes("present with")) {
    return "Content-Length and Transfer-Encoding come together; send one of them.";
  }
  switch (code) {
    case "HPE_INVALID_METHOD":
      return describeStart(placeOf(error));
    case "HPE_INVALID_URL":
      return describeTarget(placeOf(error));
    case "HPE_INVALID_CONSTANT":
    case "HPE_INVALID_VERSION":
      return "The request line must be a method, a target without spaces, and HTTP/1.1, with a space between them and CR LF at the end.";
    case "HPE_UNEXPECTED_SPACE":
      return FOLDED_LINE;
    case "HPE_INVALID_HEADER_TOKEN":
      return describeField(placeOf(error)) ?? describeReason(reason);
    case "HPE_CR_EXPECTED":
    case "HPE_LF_EXPECTED":
      return "A line must end with CR LF, and neither may stand elsewhere in it.";
    case "HPE_UNEXPECTED_CONTENT_LENGTH":
      return "Content-Length comes twice; send one.";
    case "HPE_INVALID_CONTENT_LENGTH":
      return describeLength(placeOf(error));
    case "HPE_INVALID_TRANSFER_ENCODING":
      return 'Transfer-Encoding is not "chunked", the only one accepted.';
    case "HPE_INVALID_CHUNK_SIZE":
      return "A chunk of the body does not begin with its size, a hexadecimal number of bytes.";
    case "HPE_INVALID_EOF_STATE":
      return "The connection ended before the request was complete.";
    case "HPE_CLOSED_CONNECTION":
      return "Bytes came after a request that said Connection: close.";
    default:
      return describeReason(reason);
  }
}

const FOLDED_LINE = "A header line begins with white space; a field must stand on one line.";

function describeStart({ before, after }: Place): string {
  const line = before + after;
  if (line.startsWith(TLS_HANDSHAKE)) return "A TLS handshake came to a port that speaks plain HTTP; use http://.";
  return `The request line ${excerpt(line)} is not a method, a target and HTTP/1.1.`;
}

function describeTarget({ after }: Place): string {
  const forbidden = /^[^\x21-\x7e]/.exec(after);
  if (forbidden === null) return 'The request target must be a path that begins with "/".';
  return `The request target holds ${formatByte(forbidden[0])}; percent-encode it.`;
}

/** The parser reports a field's name and its value with the same code; the colon tells which it was. */
function describeField({ before, after, fromStart }: Place): string | undefined {
  if (!fromStart) return undefined;
  const colon = before.indexOf(":");
  const found = after.charAt(0);
  if (colon !== -1) {
    if (found === "") return undefined;
    return `The field ${excerpt(before.slice(0, colon))} holds ${formatByte(found)}, which no field value can hold.`;
  }
  if (found === "") return `The header line ${excerpt(before)} has no colon.`;
  if (before !== "") {
    return `The field name that begins with ${excerpt(before)} holds ${formatByte(found)}, which no field name can hold.`;
  }
  return found === " " || found === "\t" ? FOLDED_LINE : `A header line begins with ${formatByte(found)}.`;
}

function describeLength({ before, after, fromStart }: Place): string {
  const accepted = "accepted is one decimal number below 2^64";
  const line = before + after;
  if (!fromStart || !line.includes(":")) return `Content-Length is invalid; ${accepted}.`;
  return `Content-Length is ${excerpt(line.slice(line.indexOf(":") + 1).trim())}; ${accepted}.`;
}

/** The parser's words are constants of its own, nothing of the request. */
function describeReason(reason: unknown): string {
  return typeof reason === "string" ? `The request can't be parsed: ${reason}.` : "The request can't be parsed.";
}

/** What stands in the text as itself, or by its number when it would not be seen. */
function formatByte(character: string): string {
  if (/[\x21-\x7e]/.test(character)) return excerpt(character);
  return `the byte 0x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

function placeOf({ rawPacket, bytesParsed }: ParserError): Place {
  if (!Buffer.isBuffer(rawPacket) || !Number.isSafeInteger(bytesParsed)) {
    return { before: "", after: "", fromStart: false };
  }
  const offset = Math.max(0, Math.min(bytesParsed as number, rawPacket.length));
  const start = offset === 0 ? 0 : rawPacket.lastIndexOf(LF, offset - 1) + 1;
  const before = rawPacket.toString("latin1", start, Math.min(offset, start + MAX_LINE_LENGTH));
  const rest = rawPacket.toString("latin1", offset, Math.min(rawPacket.length, offset + MAX_LINE_LENGTH));
  return { before, after: rest.slice(0, rest.search(/[\r\n]|$/)), fromStart: start > 0 };
}
