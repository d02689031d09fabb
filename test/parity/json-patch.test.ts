import fc from "fast-check";
import * as fastJsonPatch from "fast-json-patch";
import mergePatch from "json-merge-patch";
import * as rfc6902 from "rfc6902";
import { applyJsonPatch, parseJsonPatch } from "../../lib/json/json-patch.js";
import { applyMergePatch } from "../../lib/json/merge-patch.js";

type Operations = Parameters<typeof fastJsonPatch.applyPatch>[1];

const apply = (document: unknown, patch: unknown) => applyJsonPatch(document, parseJsonPatch(patch, 1000));
const applyFast = (document: unknown, patch: unknown) =>
  fastJsonPatch.applyPatch(structuredClone(document), patch as Operations, true).newDocument;

/** Documents of JSON, without the names that the peers drop to be safe from prototype pollution. */
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map(
    (value) => JSON.parse(JSON.stringify(value).replaceAll(/"(?:__proto__|constructor|prototype)"/g, '"p"')) as unknown,
  );
const objects = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), json, { noNullPrototype: true });

describe("applyJsonPatch and fast-json-patch, rfc6902", () => {
  it("V4 give one result for the patches that they make of two documents", () => {
    fc.assert(
      fc.property(objects, objects, (before, after) => {
        const patch = fastJsonPatch.compare(before, after);
        expect(apply(before, patch)).toEqual(after);
        expect(applyFast(before, patch)).toEqual(after);
        expect(apply(before, rfc6902.createPatch(before, after))).toEqual(after);
      }),
    );
  });

  it("V4 differ: theirs leave half a patch applied, ours is all or nothing", () => {
    const patch = [
      { op: "replace", path: "/a", value: 2 },
      { op: "remove", path: "/none" },
    ];
    const forFast = { a: 1 };
    expect(() => fastJsonPatch.applyPatch(forFast, patch as Operations, true)).toThrow();
    expect(forFast.a).toBe(2);

    const forRfc6902 = { a: 1 };
    expect(rfc6902.applyPatch(forRfc6902, patch as Parameters<typeof rfc6902.applyPatch>[1])[1]).not.toBeNull();
    expect(forRfc6902.a).toBe(2);

    const document = { a: 1 };
    expect(() => apply(document, patch)).toThrow();
    expect(document).toEqual({ a: 1 });
  });

  it("V4 differ: rfc6902 can't replace the whole document (RFC 6902 section 4.3)", () => {
    const patch = [{ op: "replace", path: "", value: { b: 1 } }];
    const document = { a: 1 };
    rfc6902.applyPatch(document, patch as Parameters<typeof rfc6902.applyPatch>[1]);
    expect(document).toEqual({ a: 1 });
    expect(apply({ a: 1 }, patch)).toEqual({ b: 1 });
  });

  it("V4 differ: fast-json-patch by default removes what is not there, and takes 1e0 for an index (sections 4.2, 4)", () => {
    const lenient = (document: unknown, patch: unknown) =>
      fastJsonPatch.applyPatch(structuredClone(document), patch as Operations).newDocument;
    const removal = [{ op: "remove", path: "/none" }];
    expect(lenient({ a: 1 }, removal)).toEqual({ a: 1 });
    expect(() => apply({ a: 1 }, removal)).toThrow('there is nothing at "/none"');
    const odd = [{ op: "add", path: "/1e0", value: 2 }];
    expect(() => lenient([1, 3], odd)).not.toThrow();
    expect(() => apply([1, 3], odd)).toThrow('there is nothing at "/1e0"');
  });

  it("V4 differ: twenty copies make a document of megabytes there, and none here", () => {
    const patch = Array.from({ length: 20 }, (_, index) => ({ op: "copy", from: "", path: `/${index}` }));
    expect(JSON.stringify(applyFast({ a: 1 }, patch)).length).toBeGreaterThan(10_000_000);
    const result = apply({ a: 1 }, patch) as Record<string, unknown>;
    expect((result["19"] as Record<string, unknown>)["18"]).toBe(result["18"]);
  });
});

describe("applyMergePatch and json-merge-patch", () => {
  it("V4 give one result", () => {
    fc.assert(
      fc.property(objects, objects, (document, patch) => {
        expect(applyMergePatch(document, patch)).toEqual(
          mergePatch.apply(structuredClone(document), structuredClone(patch)),
        );
      }),
    );
  });

  it("V4 differ: theirs overflows the stack at 20,000 levels", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level++) deep = { a: deep };
    expect(() => mergePatch.apply({}, deep as object)).toThrow(RangeError);
    expect(() => applyMergePatch({}, deep)).not.toThrow();
  });
});
