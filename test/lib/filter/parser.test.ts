import fc from "fast-check";
import { FilterError, formatFilter, parseFilter, type Filter, type FilterCaps } from "../../../lib/filter/index.js";

function errorOf(text: string, caps?: FilterCaps): FilterError {
  try {
    parseFilter(text, caps);
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

function shapeOf(filter: Filter): unknown {
  switch (filter.kind) {
    case "presence":
      return [filter.attribute, "pr"];
    case "comparison":
      return [filter.attribute, filter.operator, filter.operand];
    case "not":
      return ["not", shapeOf(filter.operand)];
    default:
      return [filter.kind, ...filter.operands.map(shapeOf)];
  }
}

describe("parseFilter", () => {
  describe("terms", () => {
    it("F1 reads attribute, operator and operand, with the offset of each", () => {
      expect(parseFilter(' status  eq\t"ACTIVE" ')).toEqual({
        kind: "comparison",
        attribute: "status",
        operator: "eq",
        operand: "ACTIVE",
        offset: 1,
        operatorOffset: 9,
        operandOffset: 12,
      });
    });

    it("F1 reads pr without an operand", () => {
      expect(parseFilter("profile.nick-name_2 pr")).toEqual({
        kind: "presence",
        attribute: "profile.nick-name_2",
        operator: "pr",
        offset: 0,
        operatorOffset: 20,
      });
    });

    it.each(["eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co"])("F1 knows %s", (operator) => {
      expect(shapeOf(parseFilter(`a ${operator} "x"`))).toEqual(["a", operator, "x"]);
    });

    it.each(["EQ", "Eq", "eQ"])("F3 reads the operator %s as eq", (operator) => {
      expect(shapeOf(parseFilter(`a ${operator} 1`))).toEqual(["a", "eq", 1]);
    });

    it("F3 reads AND, Or, NOT and PR in any case and keeps the case of attributes", () => {
      expect(shapeOf(parseFilter("Aa PR AND NOT (aA pr) Or AA Pr"))).toEqual([
        "or",
        ["and", ["Aa", "pr"], ["not", ["aA", "pr"]]],
        ["AA", "pr"],
      ]);
    });

    it("F3 takes an operator's name for an attribute where an attribute stands", () => {
      expect(shapeOf(parseFilter("eq eq 1 and pr pr"))).toEqual(["and", ["eq", "eq", 1], ["pr", "pr"]]);
    });

    it.each(["and", "OR", "not", "True", "false", "NULL"])("F3 takes %s for no attribute", (word) => {
      expect(errorOf(`${word} pr`).kind).toBe("syntax");
    });
  });

  describe("literals", () => {
    it.each([
      ['"x\\"y"', 'x"y'],
      ['"\\u00e9\\u00C9"', "éÉ"],
      ['"\\\\ \\/ \\b\\f\\n\\r\\t"', "\\ / \b\f\n\r\t"],
      ['"é 中 \uffff"', "é 中 \uffff"],
      ['"\ud7ff\ue000\\ud7ff\\ue000"', "\ud7ff\ue000\ud7ff\ue000"],
      ['""', ""],
      ["0", 0],
      ["-0", 0],
      ["-12.5e-1", -1.25],
      ["1E3", 1000],
      ["5e-324", 5e-324],
      ["9007199254740993", 9007199254740992],
      ["true", true],
      ["TRUE", true],
      ["False", false],
    ])("F2 reads %s", (literal, value) => {
      expect(shapeOf(parseFilter(`a eq ${literal}`))).toEqual(["a", "eq", value]);
    });

    it.each([
      ["null", 5, '"null"', "a string in double quotes, a number, true or false"],
      ["Null", 5, '"Null"', "a string in double quotes, a number, true or false"],
      ["x", 5, '"x"', "a string in double quotes, a number, true or false"],
      ["(", 5, '"("', "a string in double quotes, a number, true or false"],
      ["", 5, "the end", "a string in double quotes, a number, true or false"],
      ["'x'", 5, `"'x'"`, "double quotes around a string"],
      ["01", 5, '"01"', "a JSON number, a space or a parenthesis after it"],
      ["1.", 5, '"1."', "a JSON number, a space or a parenthesis after it"],
      ["1x", 5, '"1x"', "a JSON number, a space or a parenthesis after it"],
      ["1e400", 5, '"1e400"', "a number within the range of a double"],
      [".5", 5, '".5"', "a word, a literal or a parenthesis"],
      ["-", 5, '"-"', "a word, a literal or a parenthesis"],
      ['"x', 7, "the end", "a double quote that closes the string begun at offset 5"],
      ['"x\\"', 9, "the end", "a double quote that closes the string begun at offset 5"],
      ['"x\ny"', 7, '"\\u000a"', "a JSON string, in which control characters are escaped"],
      ['"x\u0000"', 7, '"\\u0000"', "a JSON string, in which control characters are escaped"],
      ['"\\x"', 6, '"\\x"', 'a JSON escape sequence: \\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t or \\u and four digits'],
      ['"\\u12g4"', 6, '"\\u12g4"', /^a JSON escape sequence/],
      ['"\\', 6, '"\\"', /^a JSON escape sequence/],
      ['"\\u0000"', 6, '"\\u0000"', /^a string without U\+0000/],
    ])("F9 refuses a eq %s", (literal, offset, found, expected) => {
      const error = errorOf(`a eq ${literal}`);
      expect(error).toMatchObject({ kind: "syntax", offset, found });
      if (typeof expected === "string") expect(error.expected).toBe(expected);
      else expect(error.expected).toMatch(expected);
    });

    const BORDERS = ['"\ud800"', '"\udfff"', '"\\ud800"', '"\\udfff"'];

    it.each(['"\u{1f600}"', '"\\ud83d\\ude00"', '"\\uD83D"', '"\udc00"', ...BORDERS])(
      "S5 refuses the literal %j",
      (literal) => {
        expect(errorOf(`a eq ${literal}`)).toMatchObject({
          kind: "syntax",
          offset: 6,
          expected: "characters of at most three UTF-8 bytes",
        });
      },
    );

    it.each(['"a\u{1f600}b"', '"a\\ud83d\\uDE00b"'])(
      "S5 reads the literal %j with maxBytesPerCharacter: 4",
      (literal) => {
        expect(parseFilter(`a eq ${literal}`, { maxBytesPerCharacter: 4 })).toMatchObject({ operand: "a\u{1f600}b" });
      },
    );

    it.each([
      '"\ud83d"',
      '"\ude00\ud83d"',
      '"\\ud83d"',
      '"\\ud83dx"',
      '"\\ud83d\\u0041"',
      '"\\ude00"',
      '"\ud83d\\ude00"',
    ])("S5 refuses the literal %j also then", (literal) => {
      expect(() => parseFilter(`a eq ${literal}`, { maxBytesPerCharacter: 4 })).toThrow(
        /at offset 6, expected both halves of a surrogate pair$/,
      );
    });

    it("S5 repeats no four-byte character in the message", () => {
      expect(errorOf("a eq \u{1f600}").message).toContain('"\\ud83d\\ude00"');
    });
  });

  describe("junctions", () => {
    it.each([
      ["a pr or b pr and c pr", ["or", ["a", "pr"], ["and", ["b", "pr"], ["c", "pr"]]]],
      ["a pr and b pr or c pr", ["or", ["and", ["a", "pr"], ["b", "pr"]], ["c", "pr"]]],
      ["(a pr or b pr) and c pr", ["and", ["or", ["a", "pr"], ["b", "pr"]], ["c", "pr"]]],
      ["a pr and b pr and c pr", ["and", ["a", "pr"], ["b", "pr"], ["c", "pr"]]],
      ["((a pr))", ["a", "pr"]],
      ["not(a pr)and(b pr)", ["and", ["not", ["a", "pr"]], ["b", "pr"]]],
      ["not (not (a pr or b pr)) or c pr", ["or", ["not", ["not", ["or", ["a", "pr"], ["b", "pr"]]]], ["c", "pr"]]],
      ['a eq"x"and b eq"y"', ["and", ["a", "eq", "x"], ["b", "eq", "y"]]],
    ])("F7 reads %s", (text, shape) => {
      expect(shapeOf(parseFilter(text))).toEqual(shape);
    });

    it("F7 keeps where junctions and negations begin", () => {
      expect(parseFilter("a pr or not (b pr and c pr)")).toMatchObject({
        kind: "or",
        offset: 0,
        operands: [{}, { kind: "not", offset: 8, operand: { kind: "and", offset: 13 } }],
      });
    });
  });

  describe("malformed expressions", () => {
    it.each([
      ["", 0, "the end", 'an attribute, "not" or "("'],
      [" \r\n\t", 4, "the end", 'an attribute, "not" or "("'],
      ["a", 1, "the end", "an operator (eq, ne, gt, ge, lt, le, sw, ew, co or pr)"],
      ["a is 5", 2, '"is"', "an operator (eq, ne, gt, ge, lt, le, sw, ew, co or pr)"],
      ["a = 5", 2, '"="', "a word, a literal or a parenthesis"],
      ["a pr b pr", 5, '"b"', '"and", "or" or the end'],
      ["a pr)", 4, '")"', '"and", "or" or the end'],
      ["(a pr", 5, "the end", '"and", "or" or ")"'],
      ["(a pr]", 5, '"]"', "a word, a literal or a parenthesis"],
      ["()", 1, '")"', 'an attribute, "not" or "("'],
      ["a pr and", 8, "the end", 'an attribute, "not" or "("'],
      ["a pr or or b pr", 8, '"or"', 'an attribute, "not" or "("'],
      ["not a pr", 4, '"a"', '"(" after "not"'],
      ["not", 3, "the end", '"(" after "not"'],
      ['"a" eq 1', 0, '"a"', 'an attribute, "not" or "("'],
      ["5 eq 5", 0, '"5"', 'an attribute, "not" or "("'],
      ["a..b pr", 2, '".b"', "a name after the dot"],
      ["a. pr", 2, '" "', "a name after the dot"],
      ["a.5 pr", 2, '"5"', "a name after the dot"],
      ["a.", 2, "the end", "a name after the dot"],
      ["é pr", 0, '"é"', "a word, a literal or a parenthesis"],
      ['a eq \\"x\\"', 5, '"\\"', "a word, a literal or a parenthesis"],
      ['emails[type eq "x"]', 6, '"[type"', "a word, a literal or a parenthesis"],
    ])("F9 refuses %j at its offset", (text, offset, found, expected) => {
      expect(errorOf(text)).toMatchObject({ kind: "syntax", offset, found, expected });
    });

    it.each([
      ["status+eq+1", 6],
      ['a eq "x"+and', 8],
      ["a+pr", 1],
    ])("F9 says of %s that a plus is no space", (text, offset) => {
      expect(errorOf(text)).toMatchObject({
        kind: "syntax",
        offset,
        expected: 'a space ("%2B" is a plus)',
      });
    });

    it("F9 shows at most 32 characters of what it found", () => {
      expect(errorOf(`a ${"x".repeat(100)}`).found).toBe(`"${"x".repeat(32)}"`);
      expect(errorOf(`a pr "${"x".repeat(100)}"`).found).toBe(`"${"x".repeat(32)}`);
    });

    it("F9 puts found, offset and expected in the message", () => {
      expect(errorOf("a pr b").message).toBe('found "b" at offset 5, expected "and", "or" or the end');
    });
  });

  describe("caps", () => {
    const ofLength = (length: number) => `a eq "${"x".repeat(length - 7)}"`;
    const ofDepth = (depth: number) => `${"(".repeat(depth)}a pr${")".repeat(depth)}`;
    const ofNegations = (depth: number) => `${"not (".repeat(depth)}a pr${")".repeat(depth)}`;
    const ofTerms = (count: number) => Array.from({ length: count }, () => "a pr").join(" or ");

    it.each([
      ["8,192 characters", ofLength, 8192],
      ["32 parentheses", ofDepth, 32],
      ["32 negations", ofNegations, 32],
      ["200 terms", ofTerms, 200],
    ])("F9 accepts %s and one fewer, refuses one more", (_title, make, cap) => {
      expect(() => parseFilter(make(cap - 1))).not.toThrow();
      expect(() => parseFilter(make(cap))).not.toThrow();
      expect(errorOf(make(cap + 1)).kind).toBe("cap");
    });

    it("F9 says which cap, and where it was passed", () => {
      expect(errorOf(ofLength(8193)).message).toBe("found 8193 characters at offset 8192, expected at most 8192");
      expect(errorOf(ofNegations(33)).message).toBe(
        "found a parenthesis at level 33 at offset 164, expected at most 32 levels",
      );
      expect(errorOf(ofTerms(201)).message).toBe("found term 201 at offset 1600, expected at most 200 terms");
    });

    it("F9 counts levels, not groups", () => {
      expect(() => parseFilter(Array.from({ length: 100 }, () => "(a pr)").join(" and "))).not.toThrow();
    });

    it.each(["not (", "(", "((a pr) and ", "a pr and (", 'a eq "x'])("F9 overflows no stack on 1,600 × %j", (part) => {
      expect(errorOf(part.repeat(1600).slice(0, 8192))).toBeInstanceOf(FilterError);
      expect(errorOf(part.repeat(3000)).kind).toBe("cap");
    });

    it("F9 takes lower caps", () => {
      expect(errorOf("a pr", { maxLength: 3 }).kind).toBe("cap");
      expect(errorOf("((a pr))", { maxDepth: 1 }).kind).toBe("cap");
      expect(errorOf("a pr or b pr", { maxTerms: 1 }).kind).toBe("cap");
      expect(() => parseFilter("(a pr)", { maxLength: 6, maxDepth: 1, maxTerms: 1 })).not.toThrow();
    });

    it.each([
      [{ maxLength: 8193 }, "parseFilter: option `maxLength` must be an integer from 1 to 8192"],
      [{ maxDepth: 33 }, "parseFilter: option `maxDepth` must be an integer from 1 to 32"],
      [{ maxTerms: 0 }, "parseFilter: option `maxTerms` must be an integer from 1 to 200"],
      [{ maxTerm: 1 }, /^parseFilter: option `maxTerm` is unknown/],
    ])("refuses the caps %j", (caps: object, message) => {
      expect(() => parseFilter("a pr", caps)).toThrow(message);
      expect(() => parseFilter("a pr", caps)).toThrow(TypeError);
    });
  });

  it("F9 answers any text with an expression or a FilterError within it", () => {
    const fragment = fc.constantFrom(
      "a",
      "and",
      "or",
      "NOT",
      "(",
      ")",
      " ",
      "pr",
      "eq",
      '"x"',
      '"',
      "\\",
      "1",
      "-",
      ".",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (input) => {
        let filter: Filter;
        try {
          filter = parseFilter(input);
        } catch (error) {
          expect(error).toBeInstanceOf(FilterError);
          expect((error as FilterError).offset).toBeLessThanOrEqual(input.length);
          return;
        }
        expect(shapeOf(parseFilter(formatFilter(filter)))).toEqual(shapeOf(filter));
      }),
      { numRuns: 2000 },
    );
  });
});

it("has errors whose stack begins where parseFilter() was called", () => {
  const readOwn = (): unknown => parseFilter("a eq joe.1");
  let stack: unknown;
  try {
    readOwn();
  } catch (error) {
    ({ stack } = error as Error);
  }
  expect(String(stack).split("\n")[1]).toContain("readOwn");
});
