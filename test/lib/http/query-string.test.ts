import { parse as parseForm } from "node:querystring";
import fc from "fast-check";
import {
  formatQueryFault,
  groupParameters,
  MAX_PARAMETERS,
  parseQuery,
  type QueryFaultReason,
} from "../../../lib/http/query-string.js";

/** Text of characters that take at most three bytes in UTF-8, without a byte order mark. */
const supportedText = fc.string({
  unit: fc
    .oneof(
      fc.integer({ min: 0, max: 0x7f }),
      fc.integer({ min: 0, max: 0xd7ff }),
      fc.integer({ min: 0xe000, max: 0xffff }).filter((code) => code !== 0xfeff),
    )
    .map((code) => String.fromCharCode(code)),
});

/** What delimits, and what percent-encodings are made of. */
const HOSTILE = '%&=+?#"<> 08aAbBcCdDeEfFzZ';

/** Strings in which the characters that matter to the parser are frequent. */
const hostileText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: HOSTILE.length - 1 }).map((index) => HOSTILE.charAt(index)),
    fc.constantFrom("%F0%9F%98%80", "%ED%A0%80", "%EF%BB%BF", "%C3%A9", "%E2%82%AC", "%C3", "\ud83d", "\u00e9"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
});

/** Names have no delimiters of a URL, because encoded ones are refused. */
const nameText = supportedText.map((text) => text.replace(/[=&?#]/g, ""));

describe("parseQuery", () => {
  it.each<[string, [string, string][]]>([
    ["", []],
    ["&", []],
    ["a", [["a", ""]]],
    ["a=", [["a", ""]]],
    ["=", [["", ""]]],
    ["=a", [["", "a"]]],
    ["a=b=c", [["a", "b=c"]]],
    [
      "a=1&b=2&a=3",
      [
        ["a", "1"],
        ["b", "2"],
        ["a", "3"],
      ],
    ],
    [
      "&&a=1&&b=2&",
      [
        ["a", "1"],
        ["b", "2"],
      ],
    ],
    ["a=1;b=2", [["a", "1;b=2"]]],
    ["a?b=%26%3D%3F%23", [["a?b", "&=?#"]]],
    ["a=/?:@!$'()*,;", [["a", "/?:@!$'()*,;"]]],
    [
      "a=%e2%82%ac&b=%C3%A9",
      [
        ["a", "€"],
        ["b", "é"],
      ],
    ],
    ["a=%00%7f", [["a", "\0\x7f"]]],
    [
      "__proto__=1&constructor=2",
      [
        ["__proto__", "1"],
        ["constructor", "2"],
      ],
    ],
    [
      "a[]=1&a[b]=2",
      [
        ["a[]", "1"],
        ["a[b]", "2"],
      ],
    ],
  ])("reads %j", (query, parameters) => {
    expect(parseQuery(query)).toEqual({ parameters });
  });

  it("W2 leaves + a plus, which form decoding turns into a space", () => {
    expect(parseQuery("a=joe+tag&b=joe%2Btag")).toEqual({
      parameters: [
        ["a", "joe+tag"],
        ["b", "joe+tag"],
      ],
    });
    expect(parseForm("a=joe+tag")["a"]).toBe("joe tag");
  });

  it("Q3 reads an escaped quote in a literal", () => {
    expect(parseQuery("filter=name%20eq%20%22a%5C%22b%22")).toEqual({ parameters: [["filter", 'name eq "a\\"b"']] });
  });

  it.each<[string, QueryFaultReason, string, number, string]>([
    ["a=%zz", "percent", "a", 2, "%zz"],
    ["a=%F", "percent", "a", 2, "%F"],
    ["a=%", "percent", "a", 2, "%"],
    ["a=100%&b=1", "percent", "a", 5, "%"],
    ["a=%%41", "percent", "a", 2, "%%4"],
    ["a=%4g", "percent", "a", 2, "%4g"],
    ["b=1&a=x%41%zz", "percent", "a", 10, "%zz"],
    ["%zz=1", "percent", "%zz", 0, "%zz"],
    ["a%62=%zz", "percent", "ab", 5, "%zz"],
    ["=%zz", "percent", "", 1, "%zz"],
  ])("Q1 refuses the percent sign in %j", (query, reason, parameter, offset, found) => {
    expect(parseQuery(query)).toEqual({ fault: { reason, parameter, offset, found } });
  });

  it.each([
    ["a byte that is never used", "%ff", "%ff"],
    ["a continuation byte alone", "%80", "%80"],
    ["a character cut short", "%C3", "%C3"],
    ["a character cut short by another", "%E2%82a", "%E2"],
    ["an overlong form of two bytes", "%C0%AF", "%C0"],
    ["an overlong form of three bytes", "%E0%80%AF", "%E0"],
    ["an overlong form of four bytes", "%F0%80%80%AF", "%F0"],
    ["a lone surrogate", "%ED%A0%80", "%ED"],
    ["a surrogate pair of three bytes each", "%ED%A0%BD%ED%B8%80", "%ED"],
    ["a code point beyond U+10FFFF", "%F4%90%80%80", "%F4"],
  ])("S5 refuses %s", (_what, value, found) => {
    expect(parseQuery(`a=1&b=ok%C3%A9${value}`)).toEqual({
      fault: { reason: "illFormed", parameter: "b", offset: 14, found },
    });
  });

  it.each(["%F0%90%80%80", "%F0%9F%98%80", "%f1%80%80%80", "%F4%8F%BF%BF"])("S5 refuses the four bytes %s", (found) => {
    expect(parseQuery(`a=%E2%82%AC${found}`)).toEqual({
      fault: { reason: "fourByte", parameter: "a", offset: 11, found },
    });
  });

  it("S5 refuses a byte order mark", () => {
    const fault = { reason: "byteOrderMark", parameter: "a", offset: 2, found: "%EF%BB%BF" };
    expect(parseQuery("a=%EF%BB%BFjoe")).toEqual({ fault });
  });

  it("S5 takes the characters next to what it refuses", () => {
    const value = "%ED%9F%BF%EE%80%80%EF%BB%BE%EF%BF%BF%DF%BF%E0%A0%80";
    expect(parseQuery(`a=${value}`)).toEqual({ parameters: [["a", "\ud7ff\ue000\ufefe\uffff\u07ff\u0800"]] });
  });

  it.each(Array.from('"<># \0\x1f\x7f\u00e9\uffff\ud83d'))("Q1 refuses %j without percent-encoding", (found) => {
    expect(parseQuery(`a=1&b=%41x${found}`)).toEqual({
      fault: { reason: "unencoded", parameter: "b", offset: 10, found },
    });
  });

  it("takes what browsers send without percent-encoding", () => {
    expect(parseQuery("a=[]\\^`{|}'")).toEqual({ parameters: [["a", "[]\\^`{|}'"]] });
    expect(new URL("https://acme.example.com/?a=[]\\^`{|}").search).toBe("?a=[]\\^`{|}");
  });

  it("refuses what form decoding lets pass", () => {
    expect(parseForm('a=%zz&b=%ff&c="')).toEqual({ __proto__: null, a: "%zz", b: "\ufffd", c: '"' });
    for (const query of ["a=%zz", "b=%ff", 'c="']) expect(parseQuery(query).fault).toBeDefined();
  });

  it("reports the first fault", () => {
    expect(parseQuery('a=%zz&b="').fault).toMatchObject({ parameter: "a", reason: "percent" });
    expect(parseQuery('a="%zz').fault).toMatchObject({ offset: 2, reason: "unencoded" });
  });

  it.each([MAX_PARAMETERS - 1, MAX_PARAMETERS])("reads %i parameters", (count) => {
    expect(parseQuery("a=1&&".repeat(count)).parameters).toHaveLength(count);
  });

  it("refuses one more than 100 parameters", () => {
    expect(parseQuery("a=1&".repeat(MAX_PARAMETERS) + "last=1&more=1")).toEqual({
      fault: { reason: "count", parameter: "last", offset: 400, found: "" },
    });
  });

  it.each([
    [2, "the query has more than 2 parameters."],
    [1, "the query has more than 1 parameters."],
  ])("takes %i parameters when it is told so", (maxParameters, sentence) => {
    const query = "a=1&".repeat(maxParameters);
    expect(parseQuery(query, { maxParameters }).parameters).toHaveLength(maxParameters);
    const { fault } = parseQuery(`${query}a=1`, { maxParameters });
    expect(fault).toEqual({ reason: "count", parameter: "a", offset: query.length, found: "" });
    expect(formatQueryFault(fault!, maxParameters)).toMatch(new RegExp(`: ${sentence}$`));
  });

  describe("plus", () => {
    it.each<[string, [string, string]]>([
      ["a=b+c", ["a", "b c"]],
      ["a+b=c", ["a b", "c"]],
      ["a=+%2B+%C3%A9", ["a", " + \u00e9"]],
      ["a=b%20c", ["a", "b c"]],
    ])('"space" reads %j as forms do', (query, parameter) => {
      expect(parseQuery(query, { plus: "space" })).toEqual({ parameters: [parameter] });
      expect([...new URLSearchParams(query)]).toEqual([parameter]);
    });

    it('"space" points at faults in what was sent', () => {
      expect(parseQuery("a=b++%zz", { plus: "space" }).fault).toMatchObject({ reason: "percent", offset: 5 });
      expect(parseQuery('a=b++"', { plus: "space" }).fault).toMatchObject({ reason: "unencoded", offset: 5 });
    });

    it.each<[string, string, number]>([
      ["a=b+c", "a", 3],
      ["x=1&a=%C3%A9+", "a", 12],
      ["a+b=c", "a+b", 1],
      ["a=++%zz", "a", 2],
    ])('"reject" refuses the plus in %j', (query, parameter, offset) => {
      const { fault } = parseQuery(query, { plus: "reject" });
      expect(fault).toEqual({ reason: "plus", parameter, offset, found: "+" });
      expect(formatQueryFault(fault!)).toBe(
        `Query parameter "${parameter}", offset ${offset}: "+" means a plus to some servers and a space to others; ` +
          'send a space as "%20", a plus as "%2B".',
      );
    });

    it('"reject" reads an encoded plus, and reports what comes before a plus', () => {
      expect(parseQuery("a=b%2Bc%20d", { plus: "reject" })).toEqual({ parameters: [["a", "b+c d"]] });
      expect(parseQuery("a=%zz+", { plus: "reject" }).fault).toMatchObject({ reason: "percent", offset: 2 });
    });
  });

  it.each([
    ["filter%3Dstatus%20eq%201", "filter=status eq 1", 6, "%3D"],
    ["a=1&limit%3d1", "limit=1", 9, "%3d"],
    ["a%26limit=1", "a&limit", 1, "%26"],
    ["%3Flimit=1", "?limit", 0, "%3F"],
    ["limit%23=1", "limit#", 5, "%23"],
  ])("Q2 refuses a name with an encoded delimiter: %j", (query, parameter, offset, found) => {
    expect(parseQuery(query).fault).toEqual({ reason: "delimiter", parameter, offset, found });
  });

  it("gives back what encodeURIComponent encoded", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(nameText, supportedText), { maxLength: MAX_PARAMETERS }), (pairs) => {
        const query = pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
        expect(parseQuery(query)).toEqual({ parameters: pairs });
      }),
    );
  });

  it("reads whatever URL serialisation wrote, plus signs aside", () => {
    fc.assert(
      fc.property(supportedText, (value) => {
        const url = new URL("https://acme.example.com/");
        url.searchParams.set("a", value);
        const query = url.search.slice(1).replaceAll("+", "%20");
        expect(parseQuery(query)).toEqual({ parameters: [["a", value]] });
      }),
    );
  });

  it("never throws, and either decodes as decodeURIComponent does or points at what it found", () => {
    fc.assert(
      fc.property(hostileText, (query) => {
        const { parameters, fault } = parseQuery(query);
        if (fault) {
          expect(fault.found).not.toBe("");
          expect(query.startsWith(fault.found, fault.offset)).toBe(true);
          expect(formatQueryFault(fault)).toContain(`offset ${fault.offset}: `);
        } else {
          const pairs = query.split("&").filter((pair) => pair !== "");
          expect(parameters.map(([name, value]) => name + value)).toEqual(
            pairs.map((pair) => decodeURIComponent(pair.replace("=", ""))),
          );
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("S5 refuses each encoded character of four bytes, wherever it stands", () => {
    fc.assert(
      fc.property(supportedText, fc.integer({ min: 0x10000, max: 0x10ffff }), supportedText, (before, code, after) => {
        const found = encodeURIComponent(String.fromCodePoint(code));
        const start = `a=${encodeURIComponent(before)}`;
        expect(parseQuery(start + found + encodeURIComponent(after))).toEqual({
          fault: { reason: "fourByte", parameter: "a", offset: start.length, found },
        });
      }),
    );
  });

  describe("maxBytesPerCharacter", () => {
    const maxBytesPerCharacter = 4;
    const wellFormed = fc.string({ unit: "binary" }).filter((text) => !text.includes("\ufeff"));
    const name = wellFormed.filter((text) => !/[=&?#]/.test(text));

    it("S5 gives back any well-formed text", () => {
      fc.assert(
        fc.property(fc.array(fc.tuple(name, wellFormed), { maxLength: 9 }), (pairs) => {
          const query = pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
          for (const plus of ["literal", "space", "reject"] as const) {
            expect(parseQuery(query, { maxBytesPerCharacter, plus })).toEqual({ parameters: pairs });
          }
        }),
      );
    });

    it.each([
      ["a=%F0%9F%98%80%zz", "percent", 14],
      ["%F0%9F%98%80=%ff", "illFormed", 13],
      ["a=%F0%9F%98%80%EF%BB%BF", "byteOrderMark", 14],
      ["a=%F0%9F%98%80%F0%80%80%AF", "illFormed", 14],
      ["a=%F4%90%80%80", "illFormed", 2],
      ["a=%ED%A0%BD%ED%B8%80", "illFormed", 2],
      ["a=\u{1f600}", "unencoded", 2],
    ])("S5 finds in %s that it is %s", (query, reason, offset) => {
      expect(parseQuery(query, { maxBytesPerCharacter }).fault).toMatchObject({ reason, offset });
    });

    it("S5 keeps what it has read apart from what is read with three", () => {
      expect(parseQuery("a=%F0%9F%98%80", { maxBytesPerCharacter }).fault).toBeUndefined();
      expect(parseQuery("a=%F0%9F%98%80").fault).toMatchObject({ reason: "fourByte" });
      expect(parseQuery("a=%F0%9F%98%80", { maxBytesPerCharacter }).parameters).toEqual([["a", "\u{1f600}"]]);
    });
  });

  it("copes with a megabyte of anything", () => {
    for (const unit of ["&", "=", "%", "%41", "%C3%A9", "%F0%9F%98%80", "a&", "+", "\u00e9"]) {
      const query = unit.repeat(1_000_000 / unit.length);
      expect(() => parseQuery(query)).not.toThrow();
      expect(parseQuery(`a=${query}%`).fault).toBeDefined();
    }
  });
});

describe("groupParameters", () => {
  it("Q4 groups the values of each name in the order sent", () => {
    const values = groupParameters([
      ["a", "1"],
      ["b", "2"],
      ["a", "3"],
      ["", "4"],
    ]);
    expect({ ...values }).toEqual({ a: ["1", "3"], b: ["2"], "": ["4"] });
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("takes %s for a name like another", (name) => {
    const values = groupParameters([[name, "1"]]);
    expect(Object.getPrototypeOf(values)).toBeNull();
    expect(Object.entries(values)).toEqual([[name, ["1"]]]);
    expect(({} as Record<string, unknown>)["0"]).toBeUndefined();
  });
});

describe("formatQueryFault", () => {
  it.each([
    [
      "a=%zz",
      'Query parameter "a", offset 2: "%zz" is not a percent sign and two hexadecimal digits; a percent sign itself is "%25".',
    ],
    ["a=%ff", 'Query parameter "a", offset 2: "%ff" is not well-formed UTF-8.'],
    [
      "a=%F0%9F%98%80",
      'Query parameter "a", offset 2: "%F0%9F%98%80" is a character of four bytes; characters of up to three bytes in UTF-8 are supported.',
    ],
    ["a=%EF%BB%BF", 'Query parameter "a", offset 2: "%EF%BB%BF" is a byte order mark; leave it out.'],
    ['a="', 'Query parameter "a", offset 2: "\\"" must be percent-encoded.'],
    [
      `${"x".repeat(99)}=%`,
      `Query parameter "${"x".repeat(64)}…", offset 100: "%" is not a percent sign and two hexadecimal digits; a percent sign itself is "%25".`,
    ],
    [
      "limit%3D1",
      'Query parameter "limit=1", offset 5: "%3D" is "=", percent-encoded; send the delimiters of a query as they are.',
    ],
    ["a&".repeat(101), 'Query parameter "a", offset 200: the query has more than 100 parameters.'],
  ])("says what is wrong with %j", (query, sentence) => {
    expect(formatQueryFault(parseQuery(query).fault!)).toBe(sentence);
  });
});
