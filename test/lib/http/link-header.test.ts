import fc from "fast-check";
import { encodeUri, findLink, formatLinkHeader, parseLinkHeader } from "../../../lib/http/link-header.js";

const URL_TEXT = "https://acme.example.com/api/v1/users?limit=2";

describe("formatLinkHeader", () => {
  it("P2 writes one relation", () => {
    expect(formatLinkHeader(URL_TEXT, "self")).toBe(`<${URL_TEXT}>; rel="self"`);
  });

  it.each([
    ["https://a/b>c", "https://a/b%3Ec"],
    ['https://a/"', "https://a/%22"],
    ["https://a/\r\nSet-Cookie: x=y", "https://a/%0D%0ASet-Cookie:%20x=y"],
    ["https://a/é€", "https://a/%C3%A9%E2%82%AC"],
    ["https://a/😀", "https://a/%F0%9F%98%80"],
    ["https://a/<\\^`{|}>\x7f\0", "https://a/%3C%5C%5E%60%7B%7C%7D%3E%7F%00"],
    ["https://a/%zz%4%", "https://a/%25zz%254%25"],
    ["https://a/%e2%82%AC", "https://a/%e2%82%AC"],
    ["https://[::1]:8443/a;b,c?d=e&f=(g)*'h'!$+@~#i", "https://[::1]:8443/a;b,c?d=e&f=(g)*'h'!$+@~#i"],
  ])("P2 writes the target %j as %s", (url, expected) => {
    expect(formatLinkHeader(url, "next")).toBe(`<${expected}>; rel="next"`);
  });

  it("P2 refuses a target that no encoding has", () => {
    expect(() => formatLinkHeader("https://a/\ud800", "next")).toThrow(
      new TypeError("a target contains a lone surrogate"),
    );
  });

  it.each(["", "a b", 'a"', "é", "next\r\n", "urn:a>b", 'urn:a"b', "1"])("P2 refuses the relation %j", (relation) => {
    expect(() => formatLinkHeader(URL_TEXT, relation)).toThrow(
      new TypeError(`${JSON.stringify(relation)} is not a link relation`),
    );
  });

  it("takes relations that are URIs", () => {
    expect(formatLinkHeader("/a", "https://example.com/rel#x")).toBe('</a>; rel="https://example.com/rel#x"');
  });

  it("quotes parameters, and writes those beyond ASCII as RFC 8187 has it", () => {
    expect(formatLinkHeader("/a", "help", { title: 'a "b" \\ c, d; e', type: "text/html", "title-x": "€'(*)" })).toBe(
      '</a>; rel="help"; title="a \\"b\\" \\\\ c, d; e"; type="text/html"; title-x*=UTF-8\'\'%E2%82%AC%27%28%2A%29',
    );
  });

  it.each([
    [{ rel: "x" }, '"rel" is not the name of a link parameter'],
    [{ REL: "x" }, '"REL" is not the name of a link parameter'],
    [{ "title*": "x" }, '"title*" is not the name of a link parameter'],
    [{ "a b": "x" }, '"a b" is not the name of a link parameter'],
    [{ "": "x" }, '"" is not the name of a link parameter'],
    [{ title: "a\r\nb" }, "the link parameter title contains a control character"],
    [{ title: "\ud800" }, "the link parameter title contains a lone surrogate"],
  ])("refuses the parameters %j", (parameters, message) => {
    expect(() => formatLinkHeader("/a", "help", parameters as Record<string, string>)).toThrow(new TypeError(message));
  });

  it("takes a relation as the beginning of a name", () => {
    expect(formatLinkHeader("/a", "help", { relative: "x" })).toBe('</a>; rel="help"; relative="x"');
  });

  it("P2 lets no text out of the header, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (path, title) => {
        let line: string;
        try {
          line = formatLinkHeader(`https://a/${path}`, "next", { title });
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        expect(line).toMatch(/^[\t\x20-\x7e]+$/);
        const links = parseLinkHeader(line);
        expect(links).toEqual([
          { url: encodeUri(`https://a/${path}`), relations: ["next"], parameters: expect.objectContaining({ title }) },
        ]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("encodeUri", () => {
  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(encodeUri(encodeUri(text))).toBe(encodeUri(text));
      }),
    );
  });
});

describe("parseLinkHeader", () => {
  function parse(value: string | string[]): [string, readonly string[], Record<string, string>][] {
    return parseLinkHeader(value).map(({ url, relations, parameters }) => [url, relations, { ...parameters }]);
  }

  it.each<[string | string[], [string, string[], Record<string, string>][]]>([
    // RFC 8288 section 3.5
    [
      '<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"',
      [["http://example.com/TheBook/chapter2", ["previous"], { title: "previous chapter" }]],
    ],
    ['</>; rel="http://example.net/foo"', [["/", ["http://example.net/foo"], {}]]],
    ['</terms>; rel="copyright"; anchor="#foo"', [["/terms", ["copyright"], { anchor: "#foo" }]]],
    [
      "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, </TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
      [
        ["/TheBook/chapter2", ["previous"], { title: "letztes Kapitel" }],
        ["/TheBook/chapter4", ["next"], { title: "nächstes Kapitel" }],
      ],
    ],
    [
      '<http://example.org/>; rel="start http://example.net/relation/other"',
      [["http://example.org/", ["start", "http://example.net/relation/other"], {}]],
    ],
    [
      '<https://example.org/>; rel="start", <https://example.org/index>; rel="index"',
      [
        ["https://example.org/", ["start"], {}],
        ["https://example.org/index", ["index"], {}],
      ],
    ],
    // grammar
    [
      ['<a>; rel="self"', '<b>; rel="next"'],
      [
        ["a", ["self"], {}],
        ["b", ["next"], {}],
      ],
    ],
    [
      '<a>; rel="x" , <b>; rel="next"',
      [
        ["a", ["x"], {}],
        ["b", ["next"], {}],
      ],
    ],
    [" , ,<a>;rel=next,\t", [["a", ["next"], {}]]],
    ["<a>;REL=NEXT", [["a", ["next"], {}]]],
    ['<a>; rel="  Next \t last "', [["a", ["next", "last"], {}]]],
    ["<a> ; rel = next ; x = y ", [["a", ["next"], { x: "y" }]]],
    ["<a>; rel=next; flag; other", [["a", ["next"], { flag: "", other: "" }]]],
    ['<a,b;c>; title="d, <e>; rel=next; f"; rel="next"', [["a,b;c", ["next"], { title: "d, <e>; rel=next; f" }]]],
    ['<a>; title="a\\"b\\\\c"; rel=next', [["a", ["next"], { title: 'a"b\\c' }]]],
    ["<a>", [["a", [], {}]]],
    ["<>; rel=self", [["", ["self"], {}]]],
    ["<a>;;; rel=next;", [["a", ["next"], {}]]],
    // the first of two counts
    ["<a>; rel=next; rel=prev; title=b; title=c", [["a", ["next"], { title: "b" }]]],
    // the extended one is preferred
    ["<a>; title*=UTF-8''%C3%A9; title=e; rel=x; title*=utf-8''f", [["a", ["x"], { title: "é" }]]],
    ["<a>; title*=UTF-8''%FF; title=e; b*=ISO-8859-1''c; d*=e", [["a", [], { title: "e" }]]],
    ["<a>; rel*=UTF-8''next", [["a", [], { "rel*": "UTF-8''next" }]]],
    // not well-formed
    ["", []],
    ["a; rel=next", []],
    ["<a; rel=next", []],
    ['nonsense, "quoted, <x>; rel=next", <b>; rel=next', [["b", ["next"], {}]]],
    [
      '<a>; rel=x "junk, <e>; rel=next", <b>; rel=next',
      [
        ["a", ["x", '"junk'], {}],
        ["e", ['next"'], {}],
        ["b", ["next"], {}],
      ],
    ],
    [
      '<a>; rel="x" junk "y, <e>; rel=next", <b>; rel=next',
      [
        ["a", ["x"], {}],
        ["b", ["next"], {}],
      ],
    ],
    ['<a>; rel="next', [["a", ["next"], {}]]],
    ['<a>; rel="next\\', [["a", ["next\\"], {}]]],
  ])("reads %j", (value, expected) => {
    expect(parse(value)).toEqual(expected);
  });

  it("gives parameters that have no prototype", () => {
    const [first, second] = parseLinkHeader("<a>; __proto__=x; constructor=y, <b>; rel=next");
    expect(Object.getPrototypeOf(first!.parameters)).toBeNull();
    expect(Object.getPrototypeOf(second!.parameters)).toBeNull();
    expect(Object.keys(first!.parameters)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  it("reads 100,000 repetitions of anything, for which quadratic time would take longer than a test may", () => {
    const pieces = [
      " ",
      "<",
      "<,",
      ";",
      ",x",
      '"',
      '\\"',
      '<a>; "',
      "<a>;",
      "<a>; b=",
      '<a>; b="',
      "<a>; b*=UTF-8''%",
      "=",
    ];
    for (const piece of pieces) {
      for (const prefix of ["", "<a>;", '<a>; b="', "<a>; b="]) {
        expect(() => parseLinkHeader(prefix + piece.repeat(100_000))).not.toThrow();
      }
    }
  });

  it("never throws", () => {
    const piece = fc.constantFrom("<", ">", ",", ";", '"', "\\", "=", "*", " ", "\t", "rel", "a", "UTF-8''", "%", "é");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const { url, relations, parameters } of parseLinkHeader(pieces.join(""))) {
          expect([typeof url, Array.isArray(relations), typeof parameters]).toEqual(["string", true, "object"]);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("findLink", () => {
  it("P2 finds the first of a relation, in any case", () => {
    const links = parseLinkHeader('<a>; rel="self", <b>; rel="Next last", <c>; rel=next');
    expect(findLink(links, "NEXT")).toBe("b");
    expect(findLink(links, "last")).toBe("b");
    expect(findLink(links, "prev")).toBeUndefined();
  });
});
