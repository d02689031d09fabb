import fc from "fast-check";
import { toJsonForm } from "../../../lib/json/index.js";

class Account {
  readonly name = "Ann";
  readonly created = new Date(0);
}

class Money {
  toJSON(name: string) {
    return { as: name, at: new Date(0), none: undefined };
  }
}

const form = (value: unknown) => toJsonForm({ value });

describe("toJsonForm", () => {
  it("returns what is JSON already", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toJsonForm(value)).toBe(value);
      }),
    );
  });

  it("returns what JSON.parse reads of JSON.stringify", () => {
    const leaf = fc.oneof(fc.jsonValue(), fc.date({ noInvalidDate: true }));
    const nested = fc.dictionary(fc.string(), fc.oneof(leaf, fc.constant(undefined), fc.array(leaf)));
    fc.assert(
      fc.property(nested, (value) => {
        const negativeZero = (_name: string, member: unknown) => (Object.is(member, -0) ? 0 : member);
        expect(JSON.stringify(toJsonForm(value))).toBe(JSON.stringify(value));
        expect(JSON.parse(JSON.stringify(toJsonForm(value)), negativeZero)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each<[unknown, unknown]>([
    [new Date(1), "1970-01-01T00:00:00.001Z"],
    [[new Date(1)], ["1970-01-01T00:00:00.001Z"]],
    [new Account(), { name: "Ann", created: "1970-01-01T00:00:00.000Z" }],
    [new Money(), { as: "value", at: "1970-01-01T00:00:00.000Z" }],
    [{ none: undefined, some: 1 }, { some: 1 }],
    [10n ** 20n, 10n ** 20n],
    [Object.assign(Object.create(null), { a: new Date(0) }), { a: "1970-01-01T00:00:00.000Z" }],
    [JSON.parse('{"__proto__":{"a":1},"b":null}'), JSON.parse('{"__proto__":{"a":1},"b":null}')],
  ])("has %p as %p", (value, expected) => {
    expect(form(value)).toEqual({ value: expected });
    expect(Object.keys((form([value]) as { value: object[] }).value[0]!)).toEqual(Object.keys(expected as object));
  });

  it.each<[unknown, string]>([
    [new Date(NaN), 'An invalid Date at "/value" has'],
    [NaN, 'A value NaN at "/value" has'],
    [-Infinity, 'A value -Infinity at "/value" has'],
    [[undefined], 'A value of type undefined at "/value/0" has'],
    [() => 1, 'A value of type function at "/value" has'],
    [Symbol("a"), 'A value of type symbol at "/value" has'],
    [{ "a/b": new Map() }, 'A value of type Map at "/value/a~1b" has'],
    [new Set(), "A value of type Set"],
    [new Uint8Array(1), "A value of type Uint8Array"],
    [/a/, "A value of type RegExp"],
  ])("refuses %p", (value, message) => {
    expect(() => form(value)).toThrow(TypeError);
    expect(() => form(value)).toThrow(message);
  });

  it("keeps cycles and shared parts, at any depth", () => {
    const shared = { at: new Date(0) };
    const cycle: Record<string, unknown> = { shared, again: [shared] };
    cycle["self"] = cycle;
    const copy = toJsonForm(cycle) as { shared: object; again: object[]; self: object };
    expect(copy.self).toBe(copy);
    expect(copy.again[0]).toBe(copy.shared);
    let deep: unknown = new Date(0);
    for (let level = 0; level < 100_000; level++) deep = [deep];
    let inner = toJsonForm(deep);
    while (Array.isArray(inner)) inner = inner[0];
    expect(inner).toBe("1970-01-01T00:00:00.000Z");
  });

  it("changes nothing in the value", () => {
    const at = new Date(0);
    const value = Object.freeze({ at, list: Object.freeze([at]) });
    toJsonForm(value);
    expect(value).toEqual({ at, list: [at] });
  });
});
