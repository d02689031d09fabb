import { findTests, listRules } from "./support/rules.js";

/** Rules that the server's API will bring; a test for one must take it off this list. */
const PENDING: readonly string[] = ["W10"];

describe("every rule of docs/rules.md", () => {
  const tests = [...findTests()].map(([id, files]) => [id, [...files].sort()] as const);

  it("has an id of its own", () => {
    expect(new Set(listRules()).size).toBe(listRules().length);
    expect(listRules()).toHaveLength(77);
  });

  it.each(tests.filter(([id]) => !PENDING.includes(id)))("%s: %j", (_id, files) => {
    expect(files).not.toEqual([]);
  });

  it.each(tests.filter(([id]) => PENDING.includes(id)))("%s is pending: %j", (_id, files) => {
    expect(files).toEqual([]);
  });
});
