import fc from "fast-check";
import { filter as scim2Filter, parse as scim2Parse } from "scim2-parse-filter";
import SCIMMY from "scimmy";
import {
  checkFilter,
  compileFilter,
  compileFilterSchema,
  FilterError,
  formatFilter,
  parseFilter,
  type Filter,
  type FilterErrorKind,
  type FilterOperator,
} from "../../lib/filter/index.js";
import { withoutOffsets } from "../support/filter.js";

const ALL: readonly FilterOperator[] = ["eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co", "pr"];

const schema = compileFilterSchema({
  attributes: {
    a: { type: "string", operators: ALL },
    b: { type: "string", operators: ALL },
    "c.d": { type: "string", operators: ALL },
    n: { type: "number" },
    e: { type: "any", operators: ALL },
    d: { type: "date" },
  },
});

type Verdict = boolean | "error";

/** Whether each of the two says that `row` matches. */
function ours(text: string, row: object): Verdict {
  try {
    return compileFilter(parseFilter(text), schema)(row);
  } catch {
    return "error";
  }
}

function scim2(text: string, row: object): Verdict {
  try {
    return scim2Filter(scim2Parse(text))(row);
  } catch {
    return "error";
  }
}

function scimmy(text: string, row: object): Verdict {
  try {
    return new SCIMMY.Types.Filter(text).match([row as Record<string, unknown>]).length === 1;
  } catch {
    return "error";
  }
}

/** The tree of scim2-parse-filter, in our terms. */
function fromScim2(node: ReturnType<typeof scim2Parse>): Filter {
  switch (node.op) {
    case "and":
    case "or":
      return { kind: node.op, operands: node.filters.map(fromScim2), offset: 0 };
    case "not":
      return { kind: "not", operand: fromScim2(node.filter), offset: 0 };
    case "pr":
      return { kind: "presence", attribute: node.attrPath, operator: "pr", offset: 0, operatorOffset: 0 };
    case "[]":
      throw new Error("value paths are not in the shared grammar");
    default:
      return {
        kind: "comparison",
        attribute: node.attrPath,
        operator: node.op,
        operand: node.compValue!,
        offset: 0,
        operatorOffset: 0,
        operandOffset: 0,
      };
  }
}

/** Text without escapes, and never empty: those are among the differences. */
const word = fc.string({ unit: fc.constantFrom("a", "b", "A", "B", " ", "é", "中"), minLength: 1, maxLength: 3 });
const operator = fc.constantFrom("eq", "EQ", "gt", "ge", "lt", "le", "sw", "ew", "co");
const term = fc.oneof(
  fc.tuple(fc.constantFrom("a", "b", "c.d"), operator, word).map(([name, op, text]) => `${name} ${op} "${text}"`),
  fc.tuple(fc.constantFrom("eq", "gt", "ge", "lt", "le"), fc.nat({ max: 5 })).map(([op, n]) => `n ${op} ${n}`),
  fc.constantFrom("a pr", "b PR", "c.d pr", "n pr"),
);
const expression = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4 },
    { weight: 2, arbitrary: term },
    tie("text").map((text) => `not (${text})`),
    // in parentheses, because the other parser joins a junction within its like to it
    fc.tuple(tie("text"), fc.constantFrom("and", "or", "AND"), tie("text")).map((parts) => `(${parts.join(" ")})`),
    fc.tuple(term, term, term).map(([one, two, three]) => `(${one} or ${two} and ${three})`),
  ),
})).text;
const row = fc.record({ a: word, b: word, c: fc.record({ d: word }), n: fc.nat({ max: 5 }) }, { requiredKeys: [] });

describe("parity with scim2-parse-filter", () => {
  it("F7 reads the shared grammar as it does", () => {
    fc.assert(
      fc.property(expression, (text) => {
        expect(withoutOffsets(parseFilter(text))).toEqual(fromScim2(scim2Parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it("F5 evaluates the shared grammar as it does", () => {
    fc.assert(
      fc.property(expression, fc.array(row, { maxLength: 10 }), (text, rows) => {
        const filter = parseFilter(text);
        expect(() => {
          checkFilter(filter, schema);
        }).not.toThrow();
        expect(rows.filter(compileFilter(filter, schema))).toEqual(rows.filter(scim2Filter(scim2Parse(text))));
      }),
      { numRuns: 500 },
    );
  });

  it("F7 prints what it reads as the same", () => {
    fc.assert(
      fc.property(expression, (text) => {
        expect(fromScim2(scim2Parse(formatFilter(parseFilter(text))))).toEqual(withoutOffsets(parseFilter(text)));
      }),
    );
  });
});

describe("on purpose other than scim2-parse-filter and scimmy", () => {
  it.each<[string, string, object, { scim2: Verdict; scimmy: Verdict; ours: Verdict }]>([
    ["F5: the empty string is not present", "e pr", { e: "" }, { scim2: true, scimmy: true, ours: false }],
    ["F5: the empty array is not present", "e pr", { e: [] }, { scim2: true, scimmy: "error", ours: false }],
    ["F5: the empty object is not present", "e pr", { e: {} }, { scim2: true, scimmy: true, ours: false }],
    ["F5: null is not present", "e pr", { e: null }, { scim2: true, scimmy: true, ours: false }],
    ["F2: escapes are decoded", 'a eq "\\u00e9"', { a: "é" }, { scim2: false, scimmy: false, ours: true }],
    ["F2: so is the escaped quote", 'a eq "x\\"y"', { a: 'x"y' }, { scim2: true, scimmy: "error", ours: true }],
    [
      "F5: dates of another offset are instants",
      'd lt "2024-01-01T00:00:00.000Z"',
      { d: "2024-01-01T00:30:00+01:00" },
      { scim2: false, scimmy: true, ours: true },
    ],
    [
      "F5: dates of another precision are instants",
      'd eq "2024-01-01T00:00:00.000Z"',
      { d: "2024-01-01T00:00:00Z" },
      { scim2: false, scimmy: false, ours: true },
    ],
    ["F5: a number is not compared with a string", 'n gt "8"', { n: 9 }, { scim2: true, scimmy: false, ours: "error" }],
    ["F2: a number may be negative", "n eq -1 or a pr", { n: -1 }, { scim2: "error", scimmy: true, ours: true }],
    ["F1: the operand is missing", "a eq", { a: "x" }, { scim2: "error", scimmy: false, ours: "error" }],
    ["F2: a string is in quotes", "a eq x", { a: "x" }, { scim2: "error", scimmy: true, ours: "error" }],
    ["F2: true is a Boolean in any case", "e eq TRUE", { e: true }, { scim2: "error", scimmy: false, ours: true }],
    ["F2: null is refused", "e eq null", { e: null }, { scim2: true, scimmy: false, ours: "error" }],
    ["F7: a group in a group", "((a pr))", { a: "x" }, { scim2: true, scimmy: "error", ours: true }],
    ["F3: attributes are case-sensitive", 'a eq "x"', { A: "x" }, { scim2: true, scimmy: true, ours: false }],
    [
      "F4: what is not declared can't be asked",
      "__proto__ eq 1",
      { a: "x" },
      { scim2: false, scimmy: "error", ours: "error" },
    ],
    ["F4: nor what an object inherits", "toString pr", { a: "x" }, { scim2: false, scimmy: "error", ours: "error" }],
    ["F5: ne is the negation of eq, also when absent", 'a ne "x"', {}, { scim2: false, scimmy: true, ours: true }],
    ["F7: not stands before a group", "not a pr", {}, { scim2: true, scimmy: true, ours: "error" }],
    [
      "F9: value paths are not in the grammar",
      'a[b eq "x"]',
      { a: { b: "x" } },
      { scim2: true, scimmy: true, ours: "error" },
    ],
  ])("%s: %s", (_title, text, object, expected) => {
    expect({ scim2: scim2(text, object), scimmy: scimmy(text, object), ours: ours(text, object) }).toEqual(expected);
  });

  it("F9: 3,000 negations are an error with an offset, not a stack overflow", () => {
    const text = "not (".repeat(3000);
    expect(() => scim2Parse(text)).toThrow();
    let error: unknown;
    try {
      parseFilter(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(FilterError);
    expect(error).toMatchObject({ kind: "cap" satisfies FilterErrorKind, offset: 8192 });
    expect(() => scim2Parse(`${"not (".repeat(20_000)}a pr${")".repeat(20_000)}`)).toThrow(RangeError);
  });
});
