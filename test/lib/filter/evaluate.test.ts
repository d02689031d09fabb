import { compileFilter, compileFilterSchema, parseFilter, type FilterOperator } from "../../../lib/filter/index.js";

const ALL: readonly FilterOperator[] = ["eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co", "pr"];

const schema = compileFilterSchema({
  attributes: {
    s: { type: "string", operators: ALL },
    n: { type: "number" },
    b: { type: "boolean" },
    d: { type: "date" },
    c: { type: "complex" },
    m: { type: "string", multiValued: true, operators: ALL },
    "m.id": { type: "string", multiValued: true, path: ["m"], elementPath: ["ref", "id"], operators: ALL },
    "p.*": { type: "any", operators: ALL },
    length: { type: "any", path: ["m", "length"] },
  },
});

function matches(text: string, row: object): boolean {
  return compileFilter(parseFilter(text), schema)(row);
}

describe("compileFilter", () => {
  it.each([
    ['s eq "b"', true],
    ['s eq "B"', false],
    ['s ne "b"', false],
    ['s ne "c"', true],
    ['s gt "a"', true],
    ['s gt "b"', false],
    ['s gt "B"', true],
    ['s ge "b"', true],
    ['s lt "b"', false],
    ['s lt "ba"', true],
    ['s le "b"', true],
    ['s sw "b"', true],
    ['s sw "ba"', false],
    ['s ew "b"', true],
    ['s co "b"', true],
    ["n eq 10", true],
    ["n gt 9", true],
    ["n gt 10", false],
    ["n ge 10.0", true],
    ["n lt 100", true],
    ["n le 9.99", false],
    ["b eq false", true],
    ["b ne false", false],
    ["c pr", true],
  ])("F5 evaluates %s", (text, expected) => {
    expect(matches(text, { s: "b", n: 10, b: false, c: { x: null, y: 0 } })).toBe(expected);
  });

  it.each([[""], [[]], [{}], [null], [undefined], [[null]], [[""]], [{ x: undefined }], [{ x: [{ y: "" }] }]])(
    "F5 finds %j empty",
    (value) => {
      expect(matches("c pr", { c: value })).toBe(false);
      expect(matches("c pr", {})).toBe(false);
    },
  );

  it.each([[" "], [0], [false], [[null, 0]], [{ x: "", y: [{ z: false }] }], [{ x: new Date(0) }], [new Date(0)]])(
    "F5 finds %j present",
    (value) => {
      expect(matches("c pr", { c: value })).toBe(true);
    },
  );

  it.each([["eq"], ["gt"], ["ge"], ["lt"], ["le"], ["sw"], ["ew"], ["co"]])(
    "F5 has %s match nothing that is absent or of another type",
    (operator) => {
      for (const s of [undefined, null, 5, true, {}, ["x"]]) expect(matches(`s ${operator} "x"`, { s })).toBe(false);
    },
  );

  it("F5 has ne match what is absent", () => {
    expect(matches('s ne "x"', {})).toBe(true);
    expect(matches('not (s eq "x")', {})).toBe(true);
    expect(matches('not (s ne "x")', {})).toBe(false);
  });

  it("F5 has one element of a multi-valued attribute suffice", () => {
    const row = { m: ["ab", null, 5, "cd"] };
    expect(matches('m eq "cd"', row)).toBe(true);
    expect(matches('m sw "c"', row)).toBe(true);
    expect(matches('m ne "cd"', row)).toBe(false);
    expect(matches('m ne "x"', row)).toBe(true);
    expect(matches('m eq "x"', { m: [] })).toBe(false);
    expect(matches('m eq "x"', { m: "x" })).toBe(true);
    expect(matches("m pr", { m: ["", null] })).toBe(false);
  });

  it("F5 looks into the elements", () => {
    expect(matches('m.id eq "x"', { m: [null, "x", { ref: { id: "x" } }] })).toBe(true);
    expect(matches('m.id eq "x"', { m: [{ ref: [{ id: "x" }] }, { id: "x" }] })).toBe(false);
    expect(matches('m.id eq "x"', { m: { ref: { id: "x" } } })).toBe(true);
  });

  it.each<[string, string | Date, boolean]>([
    ["gt", "2024-01-01T00:00:00.001Z", true],
    ["gt", "2024-01-01T00:00:00.000Z", false],
    ["eq", "2024-01-01T00:00:00Z", true],
    ["eq", "2024-01-01T01:00:00+01:00", true],
    ["lt", "2024-01-01T00:30:00+01:00", true],
    ["gt", "2023-12-31T23:30:00.5-01:00", true],
    ["ne", "2024-01-01T00:00:00.0000Z", false],
    ["gt", "+012025-01-01T00:00:00Z", false], // a year of more than four digits makes it a text
    ["eq", new Date("2024-01-01T00:00:00.000Z"), true],
    ["lt", new Date(0), true],
    ["le", new Date(Number.NaN), false],
    ["eq", "2024-13-01T00:00:00Z", false],
    ["eq", "March 7", false],
  ])("F5 compares dates as instants: %s against %s", (operator, d, expected) => {
    expect(matches(`d ${operator} "2024-01-01T00:00:00.000Z"`, { d })).toBe(expected);
  });

  it.each<[string, string, string | Date, boolean]>([
    ["gt", "2024-01-01T02:00:00+02:00", "2024-01-01T00:00:00.001Z", true],
    ["eq", "2024-01-01T02:00:00+02:00", "2024-01-01T00:00:00.000Z", true],
    ["gt", "2024-01-01T00:00:00.0001Z", "2024-01-01T00:00:00.000Z", false],
    ["ge", "2024-01-01T00:00:00.0001Z", "2024-01-01T00:00:00.001Z", true],
    ["lt", "2024-01-01T00:00:00.0001Z", "2024-01-01T00:00:00.000Z", true],
    ["le", "2024-01-01T00:00:00.0001Z", new Date("2024-01-01T00:00:00.001Z"), false],
    ["lt", "2024-01-01T00:00:00.0001Z", new Date("2024-01-01T00:00:00.000Z"), true],
    ["eq", "2024-01-01T00:00:00.0001Z", "2024-01-01T00:00:00.000Z", false],
    ["ne", "2024-01-01T00:00:00.0001Z", new Date("2024-01-01T00:00:00.000Z"), true],
    ["eq", "2024-01-01T00:00:00.0001Z", "2024-01-01t01:00:00.00010+01:00", true],
    ["gt", "2024-01-01T00:00:00.123456789Z", "2024-01-01T00:00:00.12345679Z", true],
    ["gt", "2024-01-01T00:00:00.123456789Z", "2024-01-01T00:00:00.123456789Z", false],
    ["lt", "2024-01-01T00:00:00.12Z", "2024-01-01T00:00:00.1199999Z", true],
  ])("F5 compares exactly: %s %s of %s", (operator, operand, d, expected) => {
    expect(matches(`d ${operator} "${operand}"`, { d })).toBe(expected);
  });

  it.each([5, true, {}])("F5 takes %j for no date", (d) => {
    expect(matches('d ge "0001-01-01T00:00:00.000Z"', { d })).toBe(false);
  });

  it("F2 compares an attribute of any type with values of the operand's type", () => {
    expect(matches("p.x eq 5", { p: { x: 5 } })).toBe(true);
    expect(matches('p.x eq "5"', { p: { x: 5 } })).toBe(false);
    expect(matches("p.x eq true", { p: { x: 1 } })).toBe(false);
    expect(matches('p.x gt "4"', { p: { x: 5 } })).toBe(false);
  });

  it("F4 does not find what every object inherits", () => {
    for (const name of ["toString", "__proto__", "constructor", "hasOwnProperty"]) {
      expect(matches(`p.${name} pr`, { p: {} })).toBe(false);
    }
    expect(matches('p.toString eq "x"', { p: { toString: "x" } })).toBe(true);
    expect(matches("p.__proto__ eq 1", { p: JSON.parse('{"__proto__":1}') as object })).toBe(true);
    expect(matches("length pr", { m: ["x"] })).toBe(false);
    expect(matches("p.length pr", { p: "text" })).toBe(false);
  });

  it("F4 finds nothing in what is no object", () => {
    for (const p of [null, undefined, 5, "x", ["x"]]) expect(matches("p.x pr", { p })).toBe(false);
  });

  it.each([
    ['s eq "x" or n eq 1 and b eq true', { s: "x" }, true],
    ['(s eq "x" or n eq 1) and b eq true', { s: "x" }, false],
    ['s eq "x" and n eq 1', { s: "x", n: 1 }, true],
    ["n eq 1 or n eq 2", { n: 3 }, false],
    ["not (n eq 1 or n eq 2)", { n: 3 }, true],
  ])("F7 evaluates %s", (text, row, expected) => {
    expect(matches(text, row)).toBe(expected);
  });
});
