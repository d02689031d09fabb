import { excerpt, TOKEN } from "../text/index.js";
import type { RequestFault } from "../faults/index.js";

/** The properties of an error of Node's HTTP parser. Any other error has only `code`. */
export interface ParserError {
  /** `HPE_INVALID_METHOD`, or one of Node's own such as `ERR_HTTP_REQUEST_TIMEOUT`. */
  readonly code?: unknown;
  /** The parser's message. */
  readonly reason?: unknown;
  /** The offset in `rawPacket` where the parser stopped. */
  readonly bytesParsed?: unknown;
  /** The bytes that were read last from the connection. They may begin and end anywhere in a request. */
  readonly rawPacket?: unknown;
}

/** The limits of a server, which the causes name. */
export interface ParserLimits {
  /** In bytes. */
  readonly maxHeaderSize: number;
  /** In milliseconds. */
  readonly headersTimeout: number;
  /** In milliseconds. */
  readonly requestTimeout: number;
}

/** The line where the parser stopped, as far as the packet contains it; one character for each byte. */
interface Place {
  readonly before: string;
  /** Begins with the byte that the parser refused; empty at the end of the line. */
  readonly after: string;
  /** Whether `before` is known to begin where the line does. */
  readonly fromStart: boolean;
}

const LF = 0x0a;

/** A request line that is well-formed (RFC 9112 section 3). */
const REQUEST_LINE_REGEXP = new RegExp(String.raw`^${TOKEN} [\x21-\x7e]+ HTTP/1\.[01]$`);

/** The start of the record that contains a TLS handshake (RFC 8446 section 5.1). */
const TLS_HANDSHAKE = "\x16\x03";

/** How many bytes of the line are read before and after the refused byte. */
const MAX_LINE_LENGTH = 1_024;

/**
 * Find what is wrong with a request that Node's parser refused (`clientError`). The cause names the field, the byte or the
 * value if the last packet contains it, otherwise the kind of mistake. Never throws.
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
      return "A line must end with CR LF, and must not contain CR or LF elsewhere.";
    case "HPE_UNEXPECTED_CONTENT_LENGTH":
      return "Content-Length comes twice; send one.";
    case "HPE_INVALID_CONTENT_LENGTH":
      return describeLength(placeOf(error));
    case "HPE_INVALID_TRANSFER_ENCODING":
      return 'Transfer-Encoding is not "chunked", the only one accepted.';
    case "HPE_INVALID_CHUNK_SIZE":
      return "A chunk of the body must begin with its size, a hexadecimal number of bytes.";
    case "HPE_INVALID_EOF_STATE":
      return "The connection ended before the request was complete.";
    case "HPE_CLOSED_CONNECTION":
      return "Bytes came after a request that said Connection: close.";
    default:
      return describeReason(reason);
  }
}

const FOLDED_LINE = "A header line begins with white space; write each field on one line.";

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

/** The parser reports a bad field name and a bad field value with the same code; the colon tells them apart. */
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
  const remedy = "send one decimal number below 2^64";
  const line = before + after;
  if (!fromStart || !line.includes(":")) return `Content-Length is invalid; ${remedy}.`;
  return `Content-Length is ${excerpt(line.slice(line.indexOf(":") + 1).trim())}; ${remedy}.`;
}

/** The parser's messages are constants, so nothing of the request is repeated. */
function describeReason(reason: unknown): string {
  return typeof reason === "string" ? `The request can't be parsed: ${reason}.` : "The request can't be parsed.";
}

/** A visible character as itself, any other byte as its number. */
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
