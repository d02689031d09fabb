import fc from "fast-check";
import { parseForwarded, parseForwardedFor, parseForwardedProto } from "../../../lib/net/forwarded.js";

describe("parseForwardedFor", () => {
  it.each([
    ["192.0.2.1", ["192.0.2.1"]],
    ["192.0.2.1, 198.51.100.2", ["198.51.100.2", "192.0.2.1"]],
    ["192.0.2.1,\t 198.51.100.2 \t", ["198.51.100.2", "192.0.2.1"]],
    ["a,,b", ["b", "", "a"]],
    [",a", ["a", ""]],
    ["a,", ["", "a"]],
    [",", ["", ""]],
    ["", []],
    [" \t", []],
    ["\u00a0a", ["\u00a0a"]],
  ])("splits %j, the last one first", (value, elements) => {
    expect(parseForwardedFor(value, 9)).toEqual(elements);
  });

  it("stops after `limit` elements", () => {
    expect(parseForwardedFor("a, b, c", 2)).toEqual(["c", "b"]);
    expect(parseForwardedFor("a, b, c", 3)).toEqual(["c", "b", "a"]);
    expect(parseForwardedFor("a, b, c", 4)).toEqual(["c", "b", "a"]);
    expect(parseForwardedFor(",".repeat(100_000), 32)).toHaveLength(32);
  });
});

describe("parseForwarded", () => {
  // RFC 7239 sections 4, 6, 7.1 and 7.4
  it.each([
    ['for="_gazonk"', ["_gazonk"]],
    ['For="[2001:db8:cafe::17]:4711"', ["[2001:db8:cafe::17]:4711"]],
    ["for=192.0.2.60;proto=http;by=203.0.113.43", ["192.0.2.60"]],
    ["for=192.0.2.43, for=198.51.100.17", ["198.51.100.17", "192.0.2.43"]],
    ['for=192.0.2.43, for="[2001:db8:cafe::17]", for=unknown', ["unknown", "[2001:db8:cafe::17]", "192.0.2.43"]],
    ['for=_hidden, for=_SEVKISEK;by="_mdn"', ["_SEVKISEK", "_hidden"]],
    ["by=203.0.113.43;;for=192.0.2.60;", ["192.0.2.60"]],
    ['for="a\\"b, c\\\\"', ['a"b, c\\']],
    ['host="a, for=192.0.2.1";for=192.0.2.2', ["192.0.2.2"]],
    ['for="\\\\", for=b', ["b", "\\"]],
    ["", []],
  ])("reads %s", (value, nodes) => {
    expect(parseForwarded(value, 9)).toEqual(nodes);
  });

  it.each([
    ...["for", "for=", "=192.0.2.1", "for =192.0.2.1", "for= 192.0.2.1", "for=192.0.2.1:80", "for=[2001:db8::1]"],
    ...[
      "for=192.0.2.1; proto=http",
      "for=192.0.2.1;for=192.0.2.2",
      "for=192.0.2.1;proto=a;PROTO=b",
      'for="a"b',
      'for="a',
    ],
    ...["proto=https", "192.0.2.1", "for=192.0.2.1 for=192.0.2.2", 'for="\u0000"', "for=ä"],
  ])("finds no node in %j", (element) => {
    expect(parseForwarded(element, 9)).toEqual([""]);
  });

  it.each(['for="192.0.2.1', 'for="192.0.2.1\\', "for=192.0.2.1;host=\\", 'for="a\\\\\\"', "for=,,;;", '"', '\\"'])(
    "reads what a proxy appended to %j as it was meant",
    (written) => {
      expect(parseForwarded(`${written}, for=198.51.100.2`, 9)[0]).toBe("198.51.100.2");
      expect(parseForwarded(`${written}, for="[2001:db8::1]:80"`, 9)[0]).toBe("[2001:db8::1]:80");
    },
  );

  it("reads any node back that is written as a quoted string", () => {
    const node = fc.string({ unit: fc.constantFrom(...Array.from('abc "\\,;=[]:\t\u00e4')) });
    fc.assert(
      fc.property(fc.array(node, { minLength: 1, maxLength: 5 }), (nodes) => {
        const value = nodes.map((text) => `proto=https;for="${text.replace(/["\\]/g, "\\$&")}"`).join(", ");
        expect(parseForwarded(value, 9)).toEqual(nodes.reverse());
      }),
      { numRuns: 2000 },
    );
  });

  it("never throws, stops after `limit` elements, and is linear", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('for=,;"\\ a1')) }), fc.nat(4), (value, limit) => {
        expect(parseForwarded(value, limit).length).toBeLessThanOrEqual(limit);
      }),
    );
    for (const unit of ["\\", '"', '\\"', "for=a;", "a=b;", ";", ",", " ", "for=a,"]) {
      expect(parseForwarded(`for="${unit.repeat(100_000)}`, 32).length).toBeLessThanOrEqual(32);
    }
  });
});

describe("parseForwardedProto", () => {
  it.each([
    ["https", "https"],
    ["HTTPS", "https"],
    ["https, http", "http"],
    ["http,\thttps ", "https"],
    ["http, https, http", "http"],
    ["https,", ""],
    ["", ""],
    ['"https"', '"https"'],
    ["https; q=1", "https; q=1"],
  ])("reads %j as %j", (value, scheme) => {
    expect(parseForwardedProto(value)).toBe(scheme);
  });
});
