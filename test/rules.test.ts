import { findTests, listRules } from "./support/rules.js";

describe("every rule of docs/reference/rules.md", () => {
  const tests = [...findTests()].map(([id, files]) => [id, [...files].sort()] as const);

  it("has an id of its own", () => {
    expect(new Set(listRules()).size).toBe(listRules().length);
    expect(listRules()).toHaveLength(91);
  });

  it.each(tests)("%s: %j", (_id, files) => {
    expect(files).not.toEqual([]);
  });
});
