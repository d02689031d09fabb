import { isDeepStrictEqual } from "node:util";
import vm from "node:vm";
import fc from "fast-check";
import { formatCanonical, MAX_CANONICAL_DEPTH } from "../../../lib/json/canonical-text.js";

/** Arrays within arrays. */
function nested(levels: number): unknown {
  let value: unknown = "x";
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe("formatCanonical", () => {
  it.each<[value: unknown, text: string | undefined]>([
    [undefined, undefined],
    [null, undefined],
    ["", '"0:'],
    ['a"\n\ud800é', '"5:a"\n\ud800é'],
    [0, "0"],
    [-0, "0"],
    [-1.5e300, "-1.5e+300"],
    [10n, "10"],
    [false, "false"],
    [[], "[]"],
    [{}, "{}"],
    [[1, null, undefined, [2]], "[1,null,null,[2,],]"],
    [{ b: 1, a: { d: [true], c: "x" } }, '{1:a{1:c"1:x,1:d[true,],},1:b1,}'],
    [{ a: null, b: undefined, c: { d: null } }, "{1:c{},}"],
    [new Date(Date.UTC(2024, 1, 29, 1, 2, 3, 4)), '"24:2024-02-29T01:02:03.004Z'],
    [new URL("https://example.com"), '"20:https://example.com/'],
    [{ a: { toJSON: () => undefined }, b: { toJSON: () => null } }, "{}"],
    [{ a: { toJSON: () => undefined }, b: 1, c: { toJSON: () => null }, d: 2 }, "{1:b1,1:d2,}"],
    [[{ toJSON: () => undefined }, 1], "[null,1,]"],
    [Object.assign(Object.create(null) as object, { a: 1 }), "{1:a1,}"],
    [JSON.parse('{"__proto__":{"a":1},"constructor":2}'), "{9:__proto__{1:a1,},11:constructor2,}"],
    [{ "b\n": 1, a: 2, B: 3, é: 4 }, "{1:B3,1:a2,2:b\n1,1:é4,}"],
  ])("T2 writes %p in one form", (value, text) => {
    expect(formatCanonical(value)).toBe(text);
  });

  it.each([0, 255, 256, 257, 5000])("T2 writes a string of %i characters", (length) => {
    const text = "x".repeat(length);
    expect(formatCanonical(text)).toBe(`"${length}:${text}`);
    expect(formatCanonical({ a: text })).toBe(`{1:a"${length}:${text},}`);
  });

  it("T2 writes an object that another realm made", () => {
    expect(formatCanonical(vm.runInNewContext("({ b: [1], a: new Date(0) })"))).toBe(
      '{1:a"24:1970-01-01T00:00:00.000Z,1:b[1,],}',
    );
  });

  it("T2 leaves out what an object inherits", () => {
    const value: unknown = JSON.parse('{"a":1}');
    const prototype = Object.prototype as { inherited?: number };
    prototype.inherited = 1;
    try {
      expect(formatCanonical(value)).toBe("{1:a1,}");
    } finally {
      delete prototype.inherited;
    }
  });

  it.each([1, 2, 127, 128, 129])("T2 sorts %i names, whatever was sorted before", (count) => {
    const names = Array.from({ length: count }, (_, index) => `n${index}`);
    const orders = [names, names.toReversed(), names.with(-1, "a"), names.with(0, "a".repeat(65)), names];
    for (const order of [...orders, ...orders]) {
      const expected = order.toSorted().map((name) => `${name.length}:${name}1,`);
      expect(formatCanonical(Object.fromEntries(order.map((name) => [name, 1])))).toBe(`{${expected.join("")}}`);
    }
  });

  it.each([
    [NaN, "JSON has no form for NaN"],
    [Infinity, "JSON has no form for Infinity"],
    [[-Infinity], "JSON has no form for -Infinity"],
    [{ a: () => 1 }, "JSON has no form for a function"],
    [Symbol("s"), "JSON has no form for a symbol"],
    [new Date(NaN), "JSON has no form for an invalid Date"],
    [new Map([["a", 1]]), "JSON has no form for an instance of a class without toJSON()"],
    [{ a: new Set([1]) }, "JSON has no form for an instance of a class without toJSON()"],
    [new Uint8Array(2), "JSON has no form for an instance of a class without toJSON()"],
    [/x/, "JSON has no form for an instance of a class without toJSON()"],
  ])("T2 refuses %p", (value, message) => {
    expect(() => formatCanonical(value)).toThrow(new TypeError(message));
  });

  it.each([
    [MAX_CANONICAL_DEPTH - 1, true],
    [MAX_CANONICAL_DEPTH, true],
    [MAX_CANONICAL_DEPTH + 1, false],
    [100_000, false],
  ])("takes 1,000 levels: %i", (levels, isTaken) => {
    if (isTaken) expect(formatCanonical(nested(levels))).toBe(`${"[".repeat(levels)}"1:x${",]".repeat(levels)}`);
    else expect(() => formatCanonical(nested(levels))).toThrow("the value is nested more than 1000 levels deep");
  });

  it("refuses an object that holds itself, also by way of toJSON()", () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const renewed = { toJSON: (): unknown => [renewed] };
    expect(() => formatCanonical(cycle)).toThrow("or contains itself");
    expect(() => formatCanonical(renewed)).toThrow("or contains itself");
  });

  it("T2 writes any value as the grammar has it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(formatCanonical(value)).toBe(formatNaively(value));
      }),
      { numRuns: 1000 },
    );
  });

  it("T2 writes the same exactly for values that mean the same", () => {
    const scalar = fc.oneof(fc.constantFrom(null, true, "", "1:a", '"', ",", "}", "]"), fc.nat(11), fc.string());
    const { value: similar } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie("value"), { maxLength: 3 }), tie("object")),
      object: fc.dictionary(fc.constantFrom("", "a", "b", "1:a", "__proto__"), tie("value"), { maxKeys: 3 }),
    }));
    const value = fc.oneof(similar, fc.jsonValue());
    fc.assert(
      fc.property(value, value, (first, second) => {
        const text = formatCanonical(first);
        expect(formatCanonical(JSON.parse(JSON.stringify(first)))).toBe(text);
        expect(formatCanonical(reversed(first))).toBe(text);
        expect(formatCanonical(withoutNulls(first))).toBe(text);
        expect(text === formatCanonical(second)).toBe(isDeepStrictEqual(withoutNulls(first), withoutNulls(second)));
      }),
      { numRuns: 3000 },
    );
  });
});

/** The grammar, production by production. */
function formatNaively(value: fc.JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "string") return `"${value.length}:${value}`;
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[${value.map((element) => `${formatNaively(element) ?? "null"},`).join("")}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${name.length}:${name}${formatNaively(member)},`);
  return `{${members.join("")}}`;
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? 0 : value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}
