import fc from "fast-check";
import { ERROR_CATALOGUE } from "../../../lib/errors/error-catalogue.js";
import { classifyParserError, type ParserError } from "../../../lib/server/parser-error.js";

const LIMITS = { maxHeaderSize: 16_384, headersTimeout: 20_000, requestTimeout: 120_000 };

/** The parser stops at the `^` in `text`. */
function stoppedAt(code: string, text: string, reason?: string): ParserError {
  const bytesParsed = text.indexOf("^");
  return { code, reason, bytesParsed, rawPacket: Buffer.from(text.replace("^", ""), "latin1") };
}

function causeOf(error: ParserError): string | undefined {
  return classifyParserError(error, LIMITS)[1].causes?.[0];
}

describe("classifyParserError", () => {
  it.each([
    [
      "ERR_HTTP_REQUEST_TIMEOUT",
      "E0009001",
      "The header must arrive within 20000 ms, the whole request within 120000 ms.",
    ],
    ["HPE_HEADER_OVERFLOW", "E0009009", "The request line and the header have more than 16384 bytes."],
    ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "E0009003", "The chunk extensions are too long."],
    ["HPE_PAUSED_H2_UPGRADE", "E0009012", undefined],
    ["HPE_INVALID_EOF_STATE", "E0009000", "The connection ended before the request was complete."],
    ["HPE_CLOSED_CONNECTION", "E0009000", "Bytes came after a request that said Connection: close."],
    [
      "HPE_INVALID_CONSTANT",
      "E0009000",
      "The request line must be a method, a target without spaces, and HTTP/1.1, with a space between them and CR LF at the end.",
    ],
    ["HPE_UNEXPECTED_SPACE", "E0009000", "A header line begins with white space; write each field on one line."],
    ["HPE_UNEXPECTED_CONTENT_LENGTH", "E0009000", "Content-Length comes twice; send one."],
    [
      "HPE_INVALID_CHUNK_SIZE",
      "E0009000",
      "A chunk of the body must begin with its size, a hexadecimal number of bytes.",
    ],
    ["HPE_CR_EXPECTED", "E0009000", "A line must end with CR LF, and must not contain CR or LF elsewhere."],
    ["HPE_INVALID_TRANSFER_ENCODING", "E0009000", 'Transfer-Encoding is not "chunked", the only one accepted.'],
    ["HPE_INVALID_HEADER_TOKEN", "E0009000", "The request can't be parsed."],
    ["HPE_UNHEARD_OF", "E0009000", "The request can't be parsed."],
    [undefined, "E0009000", "The request can't be parsed."],
  ])("tells %s by its code alone", (code, expected, cause) => {
    const [errorCode, { causes }] = classifyParserError({ code }, LIMITS);
    expect(errorCode).toBe(expected);
    expect(causes?.[0]).toBe(cause);
  });

  it("takes a well-formed line with an unknown method for a method, everything else for no request", () => {
    const code = "HPE_INVALID_METHOD";
    expect(classifyParserError(stoppedAt(code, "B^REW /pot HTTP/1.1\r\nHost: a\r\n"), LIMITS)[0]).toBe("E0009010");
    expect(classifyParserError(stoppedAt(code, "GET / HTTP/1.1\r\n\r\n^BREW / HTTP/1.0\r\n"), LIMITS)[0]).toBe(
      "E0009010",
    );
    for (const text of ["^", "^junk\r\n", "B^REW /pot\r\n", "B^REW /a b HTTP/1.1\r\n", "^BREW / HTTP/1.1 \r\n"]) {
      expect(classifyParserError(stoppedAt(code, text), LIMITS)[0]).toBe("E0009000");
    }
  });

  it("recognises a TLS handshake", () => {
    const error = stoppedAt("HPE_INVALID_METHOD", "^\x16\x03\x01\x02\x00\x01");
    expect(causeOf(error)).toBe("A TLS handshake came to a port that speaks plain HTTP; use http://.");
  });

  it.each([
    ["an unsupported version", "Invalid HTTP version", "E0009012"],
    ["a malformed one", "Expected dot", "E0009000"],
    ["a bare LF", "Expected CRLF after version", "E0009000"],
  ])("tells %s after HTTP/", (_title, reason, expected) => {
    expect(classifyParserError({ code: "HPE_INVALID_VERSION", reason }, LIMITS)[0]).toBe(expected);
  });

  it.each([
    ["HPE_INVALID_URL", "GET /^\x7f HTTP/1.1", "The request target holds the byte 0x7f; percent-encode it."],
    ["HPE_INVALID_URL", "GET /^", 'The request target must be a path that begins with "/".'],
    [
      "HPE_INVALID_HEADER_TOKEN",
      "A: b\r\nX-Y: c^\x1f\r\n",
      'The field "X-Y" holds the byte 0x1f, which no field value can hold.',
    ],
    ["HPE_INVALID_HEADER_TOKEN", "A: b\r\nX Y^\r\n", 'The header line "X Y" has no colon.'],
    ["HPE_INVALID_HEADER_TOKEN", "A: b\r\nX-Y: c^\r\n", "The request can't be parsed."],
    [
      "HPE_INVALID_HEADER_TOKEN",
      "A: b\r\n^\tc\r\n",
      "A header line begins with white space; write each field on one line.",
    ],
    ["HPE_INVALID_HEADER_TOKEN", "A: b\r\n^\xe9: c\r\n", "A header line begins with the byte 0xe9."],
    ["HPE_INVALID_HEADER_TOKEN", "the middle: of a line^\x01", "The request can't be parsed."],
    [
      "HPE_INVALID_CONTENT_LENGTH",
      "A: b\r\nContent-Length: ^x1\r\n",
      'Content-Length is "x1"; send one decimal number below 2^64.',
    ],
    ["HPE_INVALID_CONTENT_LENGTH", "1^x\r\n", "Content-Length is invalid; send one decimal number below 2^64."],
  ])("%s: reads the place in %j", (code, text, cause) => {
    expect(causeOf(stoppedAt(code, text))).toBe(cause);
  });

  it("names length and coding that come together, whichever came second", () => {
    const together = "Content-Length and Transfer-Encoding come together; send one of them.";
    for (const code of [
      "HPE_INVALID_CONTENT_LENGTH",
      "HPE_UNEXPECTED_CONTENT_LENGTH",
      "HPE_INVALID_TRANSFER_ENCODING",
    ]) {
      expect(causeOf({ code, reason: "Content-Length can't be present with Transfer-Encoding" })).toBe(together);
    }
  });

  it("answers whatever it is given, briefly", () => {
    const codes = fc.constantFrom(
      "HPE_INVALID_METHOD",
      "HPE_INVALID_URL",
      "HPE_INVALID_HEADER_TOKEN",
      "HPE_INVALID_CONTENT_LENGTH",
      "HPE_STRICT",
    );
    const packet = fc.oneof(
      fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
      fc.anything(),
    );
    const offset = fc.oneof(fc.integer(), fc.nat(3_000), fc.anything());
    fc.assert(
      fc.property(codes, packet, offset, fc.anything(), (code, rawPacket, bytesParsed, reason) => {
        const [errorCode, { causes = [] }] = classifyParserError(
          { code, rawPacket, bytesParsed, reason: typeof reason === "string" ? reason.slice(0, 50) : reason },
          LIMITS,
        );
        expect(Object.keys(ERROR_CATALOGUE)).toContain(errorCode);
        // 64 characters, each escaped with six at most
        for (const cause of causes) expect(cause.length).toBeLessThan(64 * 6 + 150);
      }),
    );
  });
});
