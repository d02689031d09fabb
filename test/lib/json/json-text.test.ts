import fc from "fast-check";
import { findForbiddenText } from "../../../lib/json/json-text.js";
import { parsePointer, readPointer } from "../../../lib/json/json-pointer.js";

const GRIN = "\u{1f600}";
const PAIR = String.raw`\ud83d\ude00`;

/** What the rule says, told from the parsed value, recursively. */
function hasForbiddenText(value: unknown, maxBytes: 3 | 4): boolean {
  if (typeof value === "string")
    return Array.from(value).some((character) =>
      maxBytes === 4 ? /^[\ud800-\udfff]$/.test(character) : /[^\0-\ud7ff\ue000-\uffff]/u.test(character),
    );
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some((entry) => entry.some((part) => hasForbiddenText(part, maxBytes)));
}

/** What the pointer leads to; of a key at fault the value it has. */
function resolve(value: unknown, pointer: string): unknown {
  return readPointer(value, parsePointer(pointer)!);
}

describe("findForbiddenText", () => {
  it.each([
    [undefined],
    [null],
    [1],
    [true],
    ["Ω漢\ufeff\uffff"],
    [{ a: ["b", { é: "ü" }], c: null }],
    [new Date(0)],
    [Buffer.from(GRIN)],
    [Object.assign(Object.create(null) as object, { a: "b" })],
  ])("S5 finds nothing in %p", (value) => {
    expect(findForbiddenText(value)).toBeUndefined();
  });

  it.each([
    [GRIN, ""],
    ["\ud83d", ""],
    [["a", GRIN], "/1"],
    [{ a: { b: [1, null, { "c/d~": `x${GRIN}` }] } }, "/a/b/2/c~1d~0"],
    [{ a: 1, [`k${GRIN}`]: 2 }, `/k${GRIN}`],
    [{ a: { "\ude00": {} } }, "/a/\ude00"],
    [{ a: [], b: {}, c: [[GRIN]], d: GRIN }, "/c/0/0"],
    [JSON.parse(`{"__proto__": ["${PAIR}"]}`), "/__proto__/0"],
  ])("S5 finds it in %j", (value, pointer) => {
    expect(findForbiddenText(value)).toBe(pointer);
  });

  it("S5 finds only halves of pairs where a character may take four bytes", () => {
    const four = { maxBytesPerCharacter: 4 } as const;
    expect(findForbiddenText({ [GRIN]: [GRIN] }, four)).toBeUndefined();
    expect(findForbiddenText([GRIN, `${GRIN}\ude00`], four)).toBe("/1");
    expect(() => findForbiddenText([], { maxBytesPerCharacter: 5 as never })).toThrow(
      new TypeError("findForbiddenText: option `maxBytesPerCharacter` must be 3 or 4"),
    );
  });

  it.each([3, 4] as const)("S5 agrees with a recursive look, and its pointer leads there, %i a character", (max) => {
    const text = fc.string({ unit: fc.constantFrom("a", "/", "~", "é", GRIN, "\ud83d", "0") });
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.array(tie("tree")), fc.dictionary(text, tie("tree"))),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const pointer = findForbiddenText(value, { maxBytesPerCharacter: max });
        expect(pointer !== undefined).toBe(hasForbiddenText(value, max));
        if (pointer !== undefined) {
          const key = pointer.slice(pointer.lastIndexOf("/") + 1);
          expect(hasForbiddenText(key, max) || hasForbiddenText(resolve(value, pointer), max)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("S5 does not overflow at 40,000 levels", () => {
    const json = (inner: string): unknown => JSON.parse(`${'{"a":['.repeat(20_000)}${inner}${"]}".repeat(20_000)}`);
    expect(findForbiddenText(json('"x"'))).toBeUndefined();
    expect(findForbiddenText(json(`"${PAIR}"`))).toBe("/a/0".repeat(20_000));
  });

  it("looks once into an object that stands in several places, and ends on one that holds itself", () => {
    const cycle: Record<string, unknown> = { name: "a" };
    cycle["self"] = cycle;
    expect(findForbiddenText(cycle)).toBeUndefined();

    let bomb: unknown = ["x"];
    for (let level = 0; level < 100; level++) bomb = [bomb, bomb];
    expect(findForbiddenText(bomb)).toBeUndefined();
  });
});
