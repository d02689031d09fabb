import fc from "fast-check";
import {
  parseProviderExpression,
  ProviderExpressionError,
  type ProviderCall,
} from "../../src/model/provider-expression.js";

const print = (calls: readonly ProviderCall[]): string =>
  [
    "login.identifier",
    ...calls.map((call) => `${call.name}(${"separator" in call ? `'${call.separator}'` : ""})`),
  ].join(".");

/** The message of the error, which must be the parser's own. */
function faultOf(text: string): string | undefined {
  try {
    parseProviderExpression(text);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ProviderExpressionError);
    return (error as Error).message;
  }
}

describe("parseProviderExpression()", () => {
  it.each<[string, ProviderCall[]]>([
    ["login.identifier", []],
    ["login.identifier.substringAfter('@')", [{ name: "substringAfter", separator: "@" }]],
    [
      "login.identifier.toLowerCase().substringAfter('@').substringBefore('. ()\"é')",
      [
        { name: "toLowerCase" },
        { name: "substringAfter", separator: "@" },
        { name: "substringBefore", separator: '. ()"é' },
      ],
    ],
  ])("W4 reads %s", (text, calls) => {
    expect(parseProviderExpression(text)).toEqual(calls);
  });

  it.each([
    ["", "found the end at offset 0, expected login.identifier"],
    ["login", 'found "login" at offset 0, expected login.identifier'],
    [" login.identifier", 'found " login.identifier" at offset 0, expected login.identifier'],
    ["Login.identifier", 'found "Login.identifier" at offset 0, expected login.identifier'],
    ["user.login", 'found "user.login" at offset 0, expected login.identifier'],
    ["login.identifier ", 'found " " at offset 16, expected "." or the end'],
    ["login.identifier + 'x'", `found " + 'x'" at offset 16, expected "." or the end`],
    ["login.identifier.", "found the end at offset 17, expected substringBefore, substringAfter or toLowerCase"],
    [
      "login.identifier.replace('a', 'b').toLowerCase()",
      `found "replace('a', 'b').to" at offset 17, expected substringBefore, substringAfter or toLowerCase`,
    ],
    ["login.identifier.toLowerCase", 'found the end at offset 28, expected "("'],
    ["login.identifier.toLowerCase('a')", `found "'a')" at offset 29, expected ")"`],
    ["login.identifier.substringAfter", 'found the end at offset 31, expected "("'],
    ["login.identifier.substringAfter()", 'found ")" at offset 32, expected a separator in single quotes'],
    [
      'login.identifier.substringAfter("@")',
      String.raw`found "\"@\")" at offset 32, expected a separator in single quotes`,
    ],
    ["login.identifier.substringAfter('')", `found "')" at offset 33, expected a separator`],
    ["login.identifier.substringAfter('\n')", String.raw`found "\n')" at offset 33, expected a separator`],
    ["login.identifier.substringAfter('@", `found the end at offset 34, expected "'"`],
    ["login.identifier.substringAfter('@'", 'found the end at offset 35, expected ")"'],
    ["login.identifier.substringAfter('@', 1)", 'found ", 1)" at offset 35, expected ")"'],
    ["login.identifier.substringAfter('it''s')", `found "'s')" at offset 36, expected ")"`],
  ])("W4 refuses %j with the place", (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it("W4 takes 255 characters and no more", () => {
    const ofLength = (length: number) => `login.identifier.substringAfter('${"x".repeat(length - 35)}')`;
    expect([254, 255, 256].map((length) => [ofLength(length).length, faultOf(ofLength(length))])).toEqual([
      [254, undefined],
      [255, undefined],
      [256, "found 256 characters at offset 255, expected at most 255 characters"],
    ]);
  });

  it("W4 takes 8 calls and no more", () => {
    const ofCalls = (count: number) => `login.identifier${".toLowerCase()".repeat(count)}`;
    expect([7, 8, 9].map((count) => faultOf(ofCalls(count)))).toEqual([
      undefined,
      undefined,
      'found "toLowerCase()" at offset 129, expected at most 8 calls',
    ]);
  });

  const separator = fc
    .string({ unit: fc.constantFrom("a", "@", ".", "(", ")", '"', "\\", " ", "é", "€"), minLength: 1, maxLength: 9 })
    .map((text) => ({ separator: text }));
  const call = fc.oneof(
    fc.constant<ProviderCall>({ name: "toLowerCase" }),
    fc.tuple(fc.constantFrom("substringBefore" as const, "substringAfter" as const), separator).map(([name, rest]) => ({
      name,
      ...rest,
    })),
  );
  const calls = fc.array(call, { maxLength: 8 }).filter((list) => print(list).length <= 255);

  it("W4 reads back what was written, whatever the calls", () => {
    fc.assert(
      fc.property(calls, (list) => {
        expect(parseProviderExpression(print(list))).toEqual(list);
      }),
    );
  });

  it("W4 throws only its own error, at a place up to which the text is right", () => {
    const part = fc.oneof(
      fc.constantFrom(
        "login.identifier",
        ".",
        "substringBefore",
        "substringAfter",
        "toLowerCase",
        "(",
        ")",
        "'",
        "'@'",
      ),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    const broken = fc
      .tuple(calls.map(print), fc.nat({ max: 255 }), fc.nat({ max: 3 }), part)
      .map(([text, at, dropped, inserted]) => text.slice(0, at) + inserted + text.slice(at + dropped));
    const any = fc.oneof(
      broken,
      fc.array(part, { maxLength: 20 }).map((parts) => parts.join("")),
      fc.string(),
    );
    fc.assert(
      fc.property(any, (text) => {
        try {
          expect(print(parseProviderExpression(text))).toBe(text);
        } catch (error) {
          if (!(error instanceof ProviderExpressionError)) throw error;
          const { offset, message } = error;
          if (text.length > 255) return;
          // what comes behind the place doesn't matter
          const expected = message.slice(message.lastIndexOf(", expected "));
          expect(faultOf(`${text.slice(0, offset)}\u0000`)).toBe(`found "\\u0000" at offset ${offset}${expected}`);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
