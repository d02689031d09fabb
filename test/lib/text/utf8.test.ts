import fc from "fast-check";
import {
  findEncodedTextFault,
  findTextFault,
  formatCodePoint,
  formatTextFault,
  type TextFault,
} from "../../../lib/text/utf8.js";

const MARK = "\ufeff";

/** The first and last code point of each length, and those beside the gaps; surrogates are not among them. */
const BOUNDARIES = [0x00, 0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff];
const BEYOND = [0x10000, 0x1f600, 0x3ffff, 0x40000, 0xfffff, 0x100000, 0x10ffff];

/** The bytes that UTF-8 would have for any number, also those it forbids. */
function encode(codePoint: number): number[] {
  if (codePoint < 0x80) return [codePoint];
  if (codePoint < 0x800) return [0xc0 | (codePoint >> 6), 0x80 | (codePoint & 0x3f)];
  const tail = [0x80 | ((codePoint >> 6) & 0x3f), 0x80 | (codePoint & 0x3f)];
  if (codePoint < 0x10000) return [0xe0 | (codePoint >> 12), ...tail];
  return [0xf0 | (codePoint >> 18), 0x80 | ((codePoint >> 12) & 0x3f), ...tail];
}

function percentEncode(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** What the rule says, told without any of the code under test. */
function isSupported(bytes: Uint8Array, maxBytes: 3 | 4): boolean {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return false;
  }
  if (text.startsWith(MARK)) return false;
  return maxBytes === 4 || Array.from(text).every((character) => character.codePointAt(0)! <= 0xffff);
}

describe("findTextFault", () => {
  it.each(BOUNDARIES.map((codePoint) => [formatCodePoint(String.fromCodePoint(codePoint)), codePoint]))(
    "S5 finds nothing in %s",
    (_name, codePoint) => {
      const character = Buffer.from(encode(codePoint));
      expect(character).toEqual(Buffer.from(String.fromCodePoint(codePoint)));
      expect(findTextFault(Buffer.concat([Buffer.from("é"), character, Buffer.from("é")]))).toBeUndefined();
    },
  );

  it.each(BEYOND.map((codePoint) => [formatCodePoint(String.fromCodePoint(codePoint)), codePoint]))(
    "S5 finds %s, which takes four bytes",
    (name, codePoint) => {
      const bytes = Buffer.from([...Buffer.from("aé"), ...encode(codePoint), 0x61]);
      expect(findTextFault(bytes)).toEqual({ reason: "fourByte", offset: 3, found: name });
      expect(findTextFault(bytes, 4)).toBeUndefined();
    },
  );

  it.each([
    ["a tail without a lead", [0x80], "0x80"],
    ["the last tail without a lead", [0xbf], "0xbf"],
    ["an overlong form of two bytes", [0xc0, 0xaf], "0xc0"],
    ["another overlong form of two bytes", [0xc1, 0xbf], "0xc1"],
    ["an overlong form of three bytes", [0xe0, 0x9f, 0xbf], "0xe0"],
    ["the surrogate U+D800", encode(0xd800), "0xed"],
    ["the surrogate U+DFFF", encode(0xdfff), "0xed"],
    ["a pair of surrogates (CESU-8)", [...encode(0xd83d), ...encode(0xde00)], "0xed"],
    ["an overlong form of four bytes", [0xf0, 0x8f, 0xbf, 0xbf], "0xf0"],
    ["U+110000", encode(0x110000), "0xf4"],
    ["a lead beyond Unicode", [0xf5, 0x80, 0x80, 0x80], "0xf5"],
    ["a byte that is never used", [0xff], "0xff"],
    ["two bytes cut off", [0xc3], "0xc3"],
    ["three bytes cut off", [0xe2, 0x82], "0xe2"],
    ["four bytes cut off", [0xf0, 0x9f, 0x98], "0xf0"],
    ["a tail that is none", [0xe2, 0x82, 0x41], "0xe2"],
    ["a lead in place of a tail", [0xc3, 0xc3], "0xc3"],
  ])("S5 finds %s", (_name, bytes, found) => {
    const fault = { reason: "illFormed", offset: 1, found };
    expect(findTextFault(Buffer.from([0x61, ...bytes]))).toEqual(fault);
    expect(findTextFault(Buffer.from([0x61, ...bytes, 0x61]))).toEqual(fault);
    expect(findTextFault(Buffer.from([0x61, ...bytes]), 4)).toEqual(fault);
    expect(findTextFault(Buffer.from([...Buffer.from("\u{1f600}"), ...bytes]), 4)).toEqual({ ...fault, offset: 4 });
  });

  it("S5 finds a byte order mark at the start, and takes it for a character elsewhere", () => {
    const fault = { reason: "byteOrderMark", offset: 0, found: "U+FEFF" };
    expect(findTextFault(Buffer.from(`${MARK}{}`))).toEqual(fault);
    expect(findTextFault(Buffer.from(MARK))).toEqual(fault);
    expect(findTextFault(Buffer.from(`${MARK}\u{1f600}`), 4)).toEqual(fault);
    expect(findTextFault(Buffer.from(`a${MARK}`))).toBeUndefined();
    expect(findTextFault(Buffer.from(`a${MARK}\u{1f600}`))).toMatchObject({ reason: "fourByte", offset: 4 });
  });

  it("S5 takes the marks of other encodings for what they are: ill-formed", () => {
    expect(findTextFault(Buffer.from([0xff, 0xfe, 0x7b, 0x00]))).toMatchObject({ reason: "illFormed", offset: 0 });
  });

  it("takes an empty text and one that is no Buffer", () => {
    expect(findTextFault(Buffer.alloc(0))).toBeUndefined();
    expect(findTextFault(new TextEncoder().encode("Ω"))).toBeUndefined();
    expect(findTextFault(new TextEncoder().encode("Ω\u{1d7d8}"))).toMatchObject({ reason: "fourByte", offset: 2 });
  });

  it.each([3, 4] as const)("S5 agrees with TextDecoder and code points on any bytes, %i a character", (maxBytes) => {
    const pieces = fc.oneof(
      fc.constantFrom(...[...BOUNDARIES, ...BEYOND, 0xd800, 0xdfff, 0x110000].map((codePoint) => encode(codePoint))),
      fc.array(fc.integer({ min: 0x70, max: 0xff }), { maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), (parts) => {
        const bytes = Buffer.from(parts.flat());
        const fault = findTextFault(bytes, maxBytes);
        expect(fault === undefined).toBe(isSupported(bytes, maxBytes));
        if (fault) expect(isSupported(bytes.subarray(0, fault.offset), maxBytes)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it("S5 agrees with the code points of any string", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const index = Array.from(text).findIndex((character) => character.codePointAt(0)! > 0xffff);
        const before = Array.from(text).slice(0, index).join("");
        const expected = text.startsWith(MARK) ? 0 : index === -1 ? undefined : Buffer.byteLength(before);
        expect(findTextFault(Buffer.from(text))?.offset).toBe(expected);
      }),
    );
  });
});

describe("findEncodedTextFault", () => {
  it.each(["/", "", "/users?limit=1", "/caf%C3%A9", "/%e2%82%ac", "%7F%00", "100%25", "a+b", "caf\xc3\xa9", "\xc3%A9"])(
    "S5 finds nothing in %j",
    (text) => {
      expect(findEncodedTextFault(text)).toBeUndefined();
    },
  );

  it.each<[string, TextFault["reason"], number, string]>([
    ["/%F0%9F%98%80", "fourByte", 1, "U+1F600"],
    ["/\xf0\x9f%98%80", "fourByte", 1, "U+1F600"],
    ["/a%c3%a9%f0%9f%98%80", "fourByte", 8, "U+1F600"],
    ["/%FF", "illFormed", 1, "0xff"],
    ["/%E9t%E9", "illFormed", 1, "0xe9"],
    ["/%C0%AF", "illFormed", 1, "0xc0"],
    ["/%ed%a0%bd%ed%b8%80", "illFormed", 1, "0xed"],
    ["/%C3/%A9", "illFormed", 1, "0xc3"],
    ["/\xff", "illFormed", 1, "0xff"],
    ["%EF%BB%BFa", "byteOrderMark", 0, "U+FEFF"],
    ["/users/%ef%bb%bfjoe", "byteOrderMark", 7, "U+FEFF"],
    ["/\xef\xbb\xbf", "byteOrderMark", 1, "U+FEFF"],
    ["/%zz", "percent", 1, "%zz"],
    ["/%F", "percent", 1, "%F"],
    ["/%", "percent", 1, "%"],
    ["/%%41", "percent", 1, "%%4"],
    ["/%FF%G0", "percent", 4, "%G0"],
    ["/%+1", "percent", 1, "%+1"],
  ])("S5 finds in %j that it is %s", (text, reason, offset, found) => {
    expect(findEncodedTextFault(text)).toEqual({ reason, offset, found });
  });

  it.each([3, 4] as const)("S5 finds in the encoded form what stands in the raw one, %i a character", (maxBytes) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...BOUNDARIES, ...BEYOND, 0xd800), { maxLength: 5 }), (codePoints) => {
        const bytes = Buffer.from(codePoints.filter((codePoint) => codePoint !== 0xfeff).flatMap(encode));
        const fault = findTextFault(bytes, maxBytes);
        expect(findEncodedTextFault(percentEncode(bytes), maxBytes)).toEqual(
          fault && { ...fault, offset: 3 * fault.offset },
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe("formatTextFault", () => {
  it.each<[TextFault, string]>([
    [{ reason: "illFormed", offset: 2, found: "0xff" }, "Here: 0xff at byte 2 is not well-formed UTF-8."],
    [
      { reason: "fourByte", offset: 2, found: "U+1F600" },
      "Here: U+1F600 at byte 2 takes four bytes in UTF-8; characters of up to three are supported.",
    ],
    [
      { reason: "surrogate", offset: 2, found: String.raw`\ud83d` },
      String.raw`Here: \ud83d at byte 2 is half of a surrogate pair, which is no character.`,
    ],
    [
      { reason: "byteOrderMark", offset: 0, found: "U+FEFF" },
      "Here: U+FEFF at byte 0 is a byte order mark; leave it out.",
    ],
    [
      { reason: "percent", offset: 2, found: '%"\n' },
      String.raw`Here: "%\"\n" at byte 2 is not a percent sign and two hexadecimal digits; a percent sign itself is "%25".`,
    ],
  ])("writes %j as a sentence", (fault, sentence) => {
    expect(formatTextFault("Here", fault)).toBe(sentence);
  });
});
