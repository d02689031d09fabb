import fc from "fast-check";
import { applyMergePatch } from "../../../lib/json/merge-patch.js";

describe("applyMergePatch", () => {
  /** RFC 7396 appendix A. */
  it.each<[unknown, unknown, unknown]>([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [
      ["a", "b"],
      ["c", "d"],
      ["c", "d"],
    ],
    [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, null, null],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])("V4 RFC 7396 appendix A: %j patched with %j is %j", (document, patch, result) => {
    expect(applyMergePatch(document, patch)).toEqual(result);
  });

  it("V4 applies the example of RFC 7396 section 3", () => {
    const document = {
      title: "Goodbye!",
      author: { givenName: "John", familyName: "Doe" },
      tags: ["example", "sample"],
      content: "This will be unchanged",
    };
    const patch = {
      title: "Hello!",
      phoneNumber: "+01-123-456-7890",
      author: { familyName: null },
      tags: ["example"],
    };
    const before = structuredClone(document);
    expect(applyMergePatch(document, patch)).toEqual({
      title: "Hello!",
      author: { givenName: "John" },
      tags: ["example"],
      content: "This will be unchanged",
      phoneNumber: "+01-123-456-7890",
    });
    expect(document).toEqual(before);
  });

  it("V4 takes 20,000 levels and more", () => {
    const text = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    let value = applyMergePatch({}, parseDeep(text));
    let depth = 0;
    for (; typeof value === "object" && value !== null; value = (value as { a: unknown }).a) depth++;
    expect(depth).toBe(100_000);
  });

  it.each(['{"__proto__":{"polluted":true}}', '{"a":{"__proto__":null}}'])("V4 refuses %s", (text) => {
    expect(() => applyMergePatch({ a: {} }, JSON.parse(text))).toThrow('The patch has a member "__proto__".');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("V4 writes below members that objects inherit as own ones", () => {
    const result = applyMergePatch({}, { constructor: { prototype: { polluted: true } } });
    expect(JSON.stringify(result)).toBe('{"constructor":{"prototype":{"polluted":true}}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("agrees with the pseudocode of RFC 7396 section 2", () => {
    const value = fc
      .jsonValue({ maxDepth: 3 })
      .map((json) => JSON.parse(JSON.stringify(json).replaceAll("__proto__", "p")) as unknown);
    fc.assert(
      fc.property(value, value, (document, patch) => {
        expect(applyMergePatch(document, patch)).toEqual(mergePatch(document, patch));
      }),
    );
  });
});

/** RFC 7396 section 2, word by word. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const result =
    typeof target === "object" && target !== null && !Array.isArray(target)
      ? { ...(target as Record<string, unknown>) }
      : {};
  for (const [name, value] of Object.entries(patch)) {
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- members of JSON are dynamic
    if (value === null) delete result[name];
    else result[name] = mergePatch(Object.hasOwn(result, name) ? result[name] : undefined, value);
  }
  return result;
}

/** JSON.parse may not take this depth. */
function parseDeep(text: string): unknown {
  let value: unknown = 1;
  for (let level = text.indexOf("1") / '{"a":'.length; level > 0; level--) value = { a: value };
  return value;
}
