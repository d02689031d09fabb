import { excerpt } from "../../../lib/text/excerpt.js";

describe("excerpt", () => {
  it("quotes, and escapes as in JSON", () => {
    expect(excerpt('say "é"\r\n\x01')).toBe('"say \\"é\\"\\r\\n\\u0001"');
    expect(excerpt("")).toBe('""');
  });

  it("cuts after 64 characters", () => {
    expect(excerpt("x".repeat(63))).toBe(`"${"x".repeat(63)}"`);
    expect(excerpt("x".repeat(64))).toBe(`"${"x".repeat(64)}"`);
    expect(excerpt("x".repeat(65))).toBe(`"${"x".repeat(64)}…"`);
  });

  it("does not cut a character in two", () => {
    expect(excerpt(`${"x".repeat(63)}\u{1f600}`)).toBe(`"${"x".repeat(63)}…"`);
    expect(excerpt(`${"x".repeat(62)}\u{1f600}x`)).toBe(`"${"x".repeat(62)}\u{1f600}…"`);
  });
});
