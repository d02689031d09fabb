import { excerpt, formatPath } from "../../src/model/faults.js";
import { ImportError, MAX_LISTED } from "../../src/transfer/faults.js";

describe("ImportError", () => {
  it("has a line for each fault, and counts those that it does not list", () => {
    const error = new ImportError(
      "orgs.json",
      [
        { path: [], line: 1, reason: "is not JSON" },
        { path: ["orgs", 0, "name"], line: 7, reason: "is required" },
      ],
      12,
    );
    expect(error.message).toBe(
      "orgs.json:1: is not JSON\norgs.json:7: orgs[0].name: is required\norgs.json: and 10 more",
    );
    expect(error.name).toBe("ImportError");
    expect(MAX_LISTED).toBe(100);
  });
});

describe("formatPath", () => {
  it.each([
    [[], ""],
    [["orgs", 0, "idps", 12, "name"], "orgs[0].idps[12].name"],
    [["profile", "first name", "x"], 'profile["first name"].x'],
    [["a", "\n", ""], 'a["\\n"][""]'],
  ])("writes %j", (path, text) => {
    expect(formatPath(path)).toBe(text);
  });
});

describe("excerpt", () => {
  it("cuts what is long", () => {
    expect(excerpt("x".repeat(58))).toBe(`"${"x".repeat(58)}"`);
    expect(excerpt("x".repeat(59))).toBe(`"${"x".repeat(59)}…`);
  });
});
