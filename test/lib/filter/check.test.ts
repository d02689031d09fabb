import {
  checkFilter,
  compileFilter,
  compileFilterSchema,
  compileFilterSql,
  FilterError,
  parseFilter,
} from "../../../lib/filter/index.js";

const schema = compileFilterSchema({
  attributes: {
    status: { type: "string", operators: ["eq", "sw", "co"], column: "status" },
    count: { type: "number", column: "count" },
    active: { type: "boolean", column: "active" },
    lastUpdated: { type: "date", column: "lastUpdated" },
    address: { type: "complex", column: "address" },
    "profile.*": { type: "any", column: "profile", operators: ["eq", "gt", "sw", "pr"] },
  },
  not: false,
  minimumOperandLength: { co: 3 },
});

function errorOf(text: string): FilterError {
  try {
    checkFilter(parseFilter(text), schema);
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error(`${text} was allowed`);
}

describe("checkFilter", () => {
  it.each([
    'status eq "A" and (count ge 5 or active eq true)',
    'lastUpdated gt "2024-02-29T23:59:59.999Z"',
    "address pr",
    "profile pr",
    'profile.anything eq "x" or profile.anything eq 5 or profile.anything eq true',
    "profile.anything gt 5",
    'status co "abc"',
    'status sw ""',
  ])("F4 allows %s", (text) => {
    expect(() => {
      checkFilter(parseFilter(text), schema);
    }).not.toThrow();
  });

  it.each(["name", "Status", "toString", "__proto__", "constructor", "profile.a.b", "other.a"])(
    "F4 refuses the attribute %s and names those that there are",
    (name) => {
      expect(errorOf(`count pr and ${name} eq 1`)).toMatchObject({
        kind: "unsupported",
        offset: 13,
        found: `the attribute "${name}"`,
        expected: "one of status, count, active, lastUpdated, address, profile.*, profile",
      });
    },
  );

  it.each([
    ['status ew "x"', 7, '"ew"', 'one of eq, sw, co after "status"'],
    ["status pr", 7, '"pr"', 'one of eq, sw, co after "status"'],
    ["address eq 1", 8, '"eq"', 'one of pr after "address"'],
    ["profile eq 1", 8, '"eq"', 'one of pr after "profile"'],
    ['active sw "t"', 7, '"sw"', 'one of eq, ne, pr after "active"'],
    ['profile.x co "abc"', 10, '"co"', 'one of eq, gt, sw, pr after "profile.x"'],
    ["not (count pr)", 0, '"not"', 'an expression without "not"'],
    ['count pr and (status co "ab")', 24, "2 characters", '3 or more after "co"'],
  ])("F4 refuses %s", (text, offset, found, expected) => {
    expect(errorOf(text)).toMatchObject({ kind: "unsupported", offset, found, expected });
  });

  it.each([
    ["status eq 5", "the number 5", 'a string after "status eq"'],
    ["status eq true", "the boolean true", 'a string after "status eq"'],
    ['count eq "9"', 'the string "9"', 'a number after "count eq"'],
    ['active eq "true"', 'the string "true"', 'a boolean after "active eq"'],
    ["lastUpdated gt 2024", "the number 2024", 'a string after "lastUpdated gt"'],
    ["profile.x gt true", "the boolean true", 'a string or number after "profile.x gt"'],
    ["profile.x sw 5", "the number 5", 'a string after "profile.x sw"'],
  ])("F5 refuses %s: the operand is of another type", (text, found, expected) => {
    expect(errorOf(text)).toMatchObject({ kind: "type", found, expected, offset: text.lastIndexOf(" ") + 1 });
  });

  it.each([
    "2024-01-01",
    "2024-01-01T00:00:00",
    "2024-01-01T00:00:00.1234567890123456789Z",
    "2024-01-01T00:00:00+24:00",
    "2024-01-01 00:00:00Z",
    "2024-02-30T00:00:00.000Z",
    "2024-13-01T00:00:00.000Z",
    "2024-01-01T24:00:00.000Z",
    "2024-01-01T23:59:60.000Z",
    "+02024-01-01T00:00:00.000Z",
    "",
  ])("F8 refuses the date %j", (date) => {
    expect(errorOf(`lastUpdated lt "${date}"`)).toMatchObject({
      kind: "date",
      offset: 15,
      found: `the string "${date}"`,
      expected: "a date such as 2026-01-31T08:00:00.000Z",
    });
  });

  it("F7 looks within a negation that is allowed", () => {
    const negatable = compileFilterSchema({ attributes: { count: { type: "number" } } });
    expect(() => {
      checkFilter(parseFilter("not (not (count pr))"), negatable);
    }).not.toThrow();
    expect(() => {
      checkFilter(parseFilter("not (other pr)"), negatable);
    }).toThrow(FilterError);
  });

  it("F6 counts the characters of co's operand", () => {
    expect(() => {
      checkFilter(parseFilter('status co "中é\\u0041"'), schema);
    }).not.toThrow();
  });

  describe("F9 the terms of complex attributes", () => {
    const names = Array.from({ length: 10 }, (_, index) => `a.b${index}`);
    const ten = compileFilterSchema({
      attributes: Object.fromEntries([...names, "c"].map((name) => [name, { type: "string", column: name }])),
    });
    const text = (complex: number, others: number): string =>
      [...Array<string>(complex).fill("a pr"), ...Array<string>(others).fill("c pr")].join(" or ");

    it.each([
      [199, text(19, 9)],
      [200, text(19, 10)],
      [200, text(20, 0)],
    ])("are %i", (terms, allowed) => {
      expect(() => {
        checkFilter(parseFilter(allowed), ten);
      }).not.toThrow();
      expect(compileFilterSql(parseFilter(allowed), ten, "sqlite").sql.match(/<> ''/g)).toHaveLength(terms);
    });

    it.each([
      [text(19, 11), "found term 201 at offset 232, expected at most 200 terms"],
      [text(20, 1), "found term 201 at offset 160, expected at most 200 terms"],
      [text(21, 0), "found term 210 at offset 160, expected at most 200 terms"],
    ])("are at most 200 (%#)", (refused, message) => {
      const check = (): void => {
        checkFilter(parseFilter(refused), ten);
      };
      expect(check).toThrow(message);
      expect(check).toThrow(expect.objectContaining({ kind: "cap" }));
    });
  });

  it("F9 repeats at most 64 characters of a name or literal", () => {
    expect(errorOf(`${"n".repeat(5000)} pr`).message.length).toBeLessThan(300);
    expect(errorOf(`count eq "${"n".repeat(5000)}"`).message.length).toBeLessThan(300);
  });

  it.each(["other pr", "status pr", "count eq true", "not (count pr)", "count pr or not (other pr)"])(
    "F4 has compileFilter and compileFilterSql refuse %s themselves",
    (text) => {
      const filter = parseFilter(text);
      expect(() => compileFilter(filter, schema)).toThrow(FilterError);
      expect(() => compileFilterSql(filter, schema, "sqlite")).toThrow(FilterError);
      expect(() => compileFilterSql(filter, schema, "postgresql")).toThrow(FilterError);
    },
  );
});
