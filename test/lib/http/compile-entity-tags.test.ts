import { compileEntityTags, type EntityTagsOptions } from "etiquette/entity-tags";

const ANN = { id: "1", name: "Ann", seen: 1 };

describe("compileEntityTags", () => {
  const tags = compileEntityTags({ fields: ["name"] });
  const strong = compileEntityTags({ revision: "seen", strength: "strong", version: 2 });
  const tag = tags.format(ANN);

  it("T1 makes tags from what matters", () => {
    expect(tag).toMatch(/^W\/"1\.[\w-]{22}"$/);
    expect(tags.format({ ...ANN, seen: 2 })).toBe(tag);
    expect(tags.format({ ...ANN, name: "Bob" })).not.toBe(tag);
    expect(strong.format(ANN)).toBe('"2.1"');
    expect(() => tags.format({})).toThrow(TypeError);
  });

  const MISMATCH = "If-Match does not have the current tag of the object; get it again.";

  it.each<[method: string, headers: Record<string, string>, current: object | null | undefined, verdict: object]>([
    ["GET", {}, ANN, { outcome: "proceed" }],
    ["GET", { "if-none-match": `"a", ${tag}` }, ANN, { outcome: "not-modified" }],
    ["HEAD", { "if-none-match": "*" }, ANN, { outcome: "not-modified" }],
    ["GET", { "if-none-match": tag }, { ...ANN, name: "Bob" }, { outcome: "proceed" }],
    ["GET", { "if-none-match": tag }, undefined, { outcome: "proceed" }],
    ["PUT", { "if-match": tag }, ANN, { outcome: "proceed" }],
    ["PUT", { "if-match": 'W/"1.old"' }, ANN, { outcome: "failed", cause: MISMATCH }],
    [
      "PUT",
      { "if-match": "*" },
      null,
      { outcome: "failed", cause: "If-Match requires that the object exists; it does not." },
    ],
    [
      "PUT",
      { "if-none-match": "*" },
      ANN,
      { outcome: "failed", cause: "If-None-Match excludes the object that exists." },
    ],
    ["PUT", { "if-match": "" }, ANN, { outcome: "malformed", cause: "If-Match has no entity tag." }],
    ["OPTIONS", { "if-match": "" }, ANN, { outcome: "proceed" }],
  ])("T3 T6 evaluates a %s with %j", (method, headers, current, verdict) => {
    expect(tags.evaluate({ method, headers }, current)).toEqual(verdict);
  });

  it("compares strong tags strongly for If-Match, and weakly for If-None-Match", () => {
    const weak = { method: "PUT", headers: { "if-match": 'W/"2.1"' } };
    expect(strong.evaluate(weak, ANN)).toEqual({ outcome: "failed", cause: MISMATCH });
    expect(strong.evaluate({ method: "PUT", headers: { "if-match": '"2.1"' } }, ANN)).toEqual({ outcome: "proceed" });
    expect(strong.evaluate({ method: "GET", headers: { "if-none-match": 'W/"2.1"' } }, ANN)).toEqual({
      outcome: "not-modified",
    });
  });

  it.each<[options: object | undefined, message: string]>([
    [{}, "compileEntityTags: give either option `fields` or option `revision`"],
    [{ fields: [] }, "compileEntityTags: option `fields` must be a non-empty array"],
    [{ fields: ["a"], strength: "strict" }, 'compileEntityTags: option `strength` must be "weak" or "strong"'],
    [{ fields: ["a"], version: 0 }, "compileEntityTags: option `version` must be an integer from 1 to 999999999"],
    [{ fields: ["a"], previous: [] }, "compileEntityTags: option `previous` is unknown"],
    [undefined, "compileEntityTags: options must be an object"],
  ])("refuses %j", (options, message) => {
    expect(() => compileEntityTags(options as EntityTagsOptions)).toThrow(TypeError);
    expect(() => compileEntityTags(options as EntityTagsOptions)).toThrow(message);
  });
});
